/**
 * Checks a history that comes through a pipe and may still be written. Plume text is checked in windows as it arrives
 * (check/stream). Every other format, and packed input, is read to its end and checked as a whole.
 */
import { StreamCheck, formatNamed } from '../../../check/index.ts';
import type { StreamAnswer } from '../../../check/index.ts';
import { isAwditLevel, isOwn, isStrongLevel, withoutOwn } from '../../../core/index.ts';
import type { KvVerdict, Level, Note } from '../../../core/index.ts';
import { KV_LEVELS, NO_LIMIT, checkPiped, refuseTotal, unified } from './file.ts';
import type { CheckFileOptions, CheckedFile, FoundAnomaly } from './file.ts';
import { assessForeign } from './foreign.ts';
import { isBlank, pipedHistoryFiles } from './history-files.ts';

export interface CheckStreamOptions extends CheckFileOptions {
  /** Number of latest transactions that are never dropped. */
  readonly window: number;
  /** Called with a violation as soon as it is seen. */
  readonly found: (anomalies: readonly FoundAnomaly[], transactions: number) => void;
  /** Ends reading. The answer is then about what was read. */
  readonly signal?: AbortSignal;
  /** Called when nothing more is read and interruption in order is no longer possible. */
  readonly ended?: () => void;
}

/** The format is detected from the first line that is not blank, or from this many bytes. */
const SAMPLE = 1 << 16;
const NAME = 'stdin';
/** Number of turns of the event loop in which signals are looked for. */
const TURNS = 3;

export async function checkStream(input: AsyncIterable<Uint8Array>, options: CheckStreamOptions): Promise<CheckedFile> {
  const source = untilAborted(input, options.signal);
  const first: Uint8Array[] = [];
  for (let length = 0; length < SAMPLE && !saysSomething(first);) {
    const { done, value } = await source.next();
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  const sample = withoutMark(new Uint8Array(Buffer.concat(first)));
  // Plume text names no levels. The message about that is made where a whole history is checked.
  const plume = options.format === 'plume' || (options.format === 'auto' && formatNamed('plume').detect([{ name: NAME, bytes: sample }]));
  if (plume) refuseTotal(NAME, 'plume', options);
  const rest = { [Symbol.asyncIterator]: () => source };
  if (plume && !isBlank(sample) && !options.levels?.some(isOwn)) return checkWindows(sample, rest, options);
  const whole = await wholeOf(first, rest);
  options.ended?.();
  if (options.signal?.aborted === true) return notJudged(whole.length, options);
  return checkPiped(NAME, pipedHistoryFiles(NAME, whole), options);
}

/** Formats that are judged as a whole give no answer about a part. */
function notJudged(bytes: number, { levels = KV_LEVELS, format }: CheckStreamOptions): CheckedFile {
  const why = bytes === 0 ? 'nothing had come' : 'what is not plain plume text is judged only once it was read to its end';
  const reason = `interrupted after ${bytes} bytes: ${why}`;
  return {
    format: format === 'auto' ? 'no format known' : format,
    transactions: 0,
    levels: levels.map((level) => ({ level, answer: 'unknown', reason })),
    anomalies: [],
    notes: [],
    interrupted: true,
  };
}

/** Yields the pieces of a stream until the signal. A piece that is awaited at that time is not awaited any longer. */
async function* untilAborted(input: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (signal === undefined) return yield* input;
  const source = input[Symbol.asyncIterator]();
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.(), { once: true });
  try {
    while (!signal.aborted) {
      // A race against one promise of the signal would keep every piece in memory until an interruption.
      const piece = await new Promise<IteratorResult<Uint8Array> | undefined>((resolve, reject) => {
        wake = (): void => resolve(undefined);
        source.next().then(resolve, reject); // Nobody asks for the error of an abandoned stream.
      });
      if (piece === undefined || piece.done === true) break;
      yield piece.value;
    }
  } finally {
    void source.return?.()?.catch(() => undefined);
  }
  // Ctrl-C ends the writer of the pipe too. The end of its output may be seen before our own signal.
  for (let turns = 0; turns < TURNS && !signal.aborted; turns++) await new Promise((resolve) => setImmediate(resolve));
}

async function checkWindows(sample: Uint8Array, rest: AsyncIterable<Uint8Array>, options: CheckStreamOptions): Promise<CheckedFile> {
  const levels = options.levels === undefined ? KV_LEVELS : withoutOwn(options.levels);
  const check = new StreamCheck({
    levels: levels.filter((level) => isAwditLevel(level) || isStrongLevel(level)),
    window: options.window,
    report: options.report,
    file: NAME,
    found: (verdict, transactions) => options.found(unified([verdict], options.report).anomalies, transactions),
  });
  check.push(sample);
  for await (const bytes of rest) {
    check.push(bytes);
    options.progress(() => `read ${check.transactions} transactions`);
  }
  options.ended?.();
  if (options.signal?.aborted === true) return { ...answered(check.interrupted(), levels, options), interrupted: true };
  return answered(check.end(), levels, options);
}

function answered(answer: StreamAnswer, levels: readonly Level[], options: CheckStreamOptions): CheckedFile {
  const { transactions } = answer;
  const noted = (notes: readonly Note[]): readonly Note[] => (options.maxMegabytes === undefined ? notes : [...notes, NO_LIMIT]);
  if (answer.history !== undefined) {
    const judged = assessForeign({ kind: 'kv', history: answer.history }, { levels, report: options.report });
    const verdicts = judged.kind === 'kv' ? judged.verdicts : [];
    return { format: 'plume', transactions, ...unified(verdicts, options.report), notes: noted(judged.notes) };
  }
  const verdicts = levels.map(
    (level): KvVerdict =>
      answer.verdicts.find((verdict) => verdict.level === level) ?? {
        level,
        answer: 'unknown',
        reason: `a history of registers shows no version order, which ${level} is defined by`,
        anomalies: [],
      },
  );
  const note: Note = { code: 'checked-in-windows', data: { forgotten: answer.forgotten, window: options.window } };
  return { format: 'plume', transactions, ...unified(verdicts, options.report), notes: noted([note]) };
}

function saysSomething(chunks: readonly Uint8Array[]): boolean {
  return chunks.some((chunk) => chunk.includes(10)) && !isBlank(new Uint8Array(Buffer.concat(chunks)));
}

async function wholeOf(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks = [...first];
  for await (const chunk of rest) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
