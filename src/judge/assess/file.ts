/**
 * Judges a history on disk in any format. Our own rounds go through inference and the cycle search, key-value text
 * through AWDIT and the strong checkers, list appends through inference. All answers have one shape.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkBank, detectFormat, formatNamed, hasMark, looksLikeHistory, readHistories } from '../../../check/index.ts';
import type { HistoryFile, ParsedHistory, RelationalVerdict, SumVerdict } from '../../../check/index.ts';
import { UsageError, isGzip, isOwn, noteAt, withoutOwn } from '../../../core/index.ts';
import type { Anomaly, AskedLevel, KvAnomaly, KvHistory, KvVerdict, Level, LevelAnswer, Note } from '../../../core/index.ts';
import { AnsweredSoFar, CheckInterrupted, interruptible, unlessInterrupted } from './interruptible.ts';
import { checkPlumeFile } from './threads/index.ts';
import { endedBySignals } from '../../process/interruption.ts';
import { isBlank, readForeignHistory, readHistoryFiles } from './history-files.ts';
import { unlessNothing } from './nothing-to-judge.ts';
import { LevelAnswers } from '../tally/level-answers.ts';
import { RanLevels } from '../tally/ran-levels.ts';
import type { RanAt } from '../tally/ran-levels.ts';
import { openStored, unpackedStart } from './stored-history.ts';
import type { StoredHistory } from './stored-history.ts';

export type ReportMode = 'first' | 'class' | 'all';

export interface CheckFileOptions {
  /** `auto`, `ndjson`, or a name of the FORMATS table. */
  readonly format: string;
  /** Undefined: all levels that this kind of history can answer. */
  readonly levels?: readonly AskedLevel[];
  readonly report: ReportMode;
  readonly allowCut: boolean;
  readonly maxMegabytes?: number;
  /** The initial sum of a bank history's accounts. */
  readonly total?: bigint;
  readonly progress: (line: () => string) => void;
  /** Ctrl-C while nothing interruptible runs (interruptible.ts). */
  readonly signal?: AbortSignal;
}

/** An anomaly of either kind of history. For rounds it has the round and the level that the round ran at. */
export type FoundAnomaly =
  | (Anomaly & { readonly round: number; readonly ran?: Level })
  | (Omit<KvAnomaly<AskedLevel>, 'name'> & { readonly class: string; readonly round?: number; readonly ran?: Level });

export interface CheckedFile {
  readonly format: string;
  readonly transactions: number;
  readonly rounds?: number;
  /** For rounds, the answer comes from those that ran at the level or at a stronger one. */
  readonly levels: readonly LevelAnswer<AskedLevel>[];
  /** For rounds: the results by the level that they ran at. */
  readonly ran?: readonly RanAt[];
  readonly anomalies: readonly FoundAnomaly[];
  /** Only a bank history has this verdict. */
  readonly sum?: SumVerdict;
  readonly notes: readonly Note[];
  /** Ctrl-C ended the check. If the history was not read whole, no answer is `true`. */
  readonly interrupted?: true;
}

export async function checkFile(path: string, options: CheckFileOptions): Promise<CheckedFile> {
  const file = historyFile(path);
  const onDisk = statSync(file).isFile() || statSync(file).isDirectory();
  // A pipe can be read only once, both to detect its format and to check it.
  const piped = onDisk ? undefined : endedBySignals(() => readHistoryFiles(file));
  // The file begins blank. If it is blank to its end, it is refused.
  if (statSync(file).isFile() && isBlank(firstBytes(file))) readHistoryFiles(file);
  const format = options.format === 'auto' ? formatOf(file, piped) : options.format;
  refuseTotal(path, format, options);
  // Plume text names no levels. A question about them is answered elsewhere.
  if (format === 'plume' && piped === undefined && isPlain(file) && !options.levels?.some(isOwn)) return checkPlume(file, options);
  return checkWhole(file, format, options, piped);
}

/** Refuses `--total` for other formats than bank histories, because only balances have a sum. */
export function refuseTotal(name: string, format: string, { total }: Pick<CheckFileOptions, 'total'>): void {
  if (total !== undefined && !BANKS.has(format))
    throw new UsageError(`${name}: got --total for a history of format ${format}; expected a bank history, whose balances have a sum`);
}

const BANKS: ReadonlySet<string> = new Set(['bank', 'bank-json']);
const NO_LEVELS = 'a bank history shows sums of balances, and no operations on rows that a level speaks of';

/** Checks a history in memory: the bytes of a pipe, in `format` or, if that is `auto`, in the format that they look like. */
export async function checkPiped(name: string, piped: readonly HistoryFile[], options: CheckFileOptions): Promise<CheckedFile> {
  const format = options.format === 'auto' ? formatOf(name, piped) : options.format;
  refuseTotal(name, format, options);
  return checkWhole(name, format, options, piped);
}

async function checkWhole(
  file: string,
  format: string,
  options: CheckFileOptions,
  piped: readonly HistoryFile[] | undefined,
): Promise<CheckedFile> {
  const checked = await (format === 'ndjson' ? checkRounds(file, options, piped) : checkForeign(file, format, options, piped));
  return options.maxMegabytes === undefined ? checked : { ...checked, notes: [...checked.notes, NO_LIMIT] };
}

export const NO_LIMIT: Note = { code: 'memory-limit-ignored', data: {} };

const HISTORY_NAMES = ['history.ndjson.gz', 'history.ndjson'] as const;

/** Returns the history in a run's folder. Any other folder is a history of several files. */
export function historyFile(path: string): string {
  if (!existsSync(path))
    throw new UsageError(`${path}: there is no such file or folder; expected a history or the folder of a run (out/<run-id>).`);
  if (!statSync(path).isDirectory()) return path;
  return HISTORY_NAMES.map((name) => join(path, name)).find((inside) => existsSync(inside)) ?? path;
}

export function formatOf(file: string, piped: readonly HistoryFile[] | undefined): string {
  if (piped !== undefined)
    return looksLikeHistory(new TextDecoder().decode(piped[0]?.bytes.subarray(0, SAMPLE))) ? 'ndjson' : detectFormat(piped).name;
  if (statSync(file).isDirectory()) return detectFormat(readHistoryFiles(file)).name;
  const first = firstBytes(file);
  if (looksLikeHistory(first.toString('utf8'))) return 'ndjson';
  if (isGzip(first) && looksLikeHistory(Buffer.from(unpackedStart(first)).toString('utf8'))) return 'ndjson';
  const packed = (first[0] === 0x1f && first[1] === 0x8b) || (first[0] === 0x28 && first[1] === 0xb5);
  return packed
    ? detectFormat(readHistoryFiles(file)).name
    : detectFormat([{ name: file.replace(/^.*\//, ''), bytes: new Uint8Array(first) }]).name;
}

/** True if threads can read the file by themselves: one file, not packed, without a byte order mark. */
function isPlain(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const first = firstBytes(file, 4);
  return !hasMark(first) && !(first[0] === 0x1f && first[1] === 0x8b) && !(first[0] === 0x28 && first[1] === 0xb5);
}

const SAMPLE = 1 << 16;

function firstBytes(file: string, length = SAMPLE): Buffer {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(fd, buffer, 0, length, null));
  } finally {
    closeSync(fd);
  }
}

/** Inference is loaded only here. Key-value text, the most common and largest input, must not wait for it. */
async function checkRounds(file: string, options: CheckFileOptions, piped: readonly HistoryFile[] | undefined): Promise<CheckedFile> {
  if (piped === undefined && statSync(file).isDirectory())
    throw new UsageError(`${file}: got a folder without a history.ndjson.gz or history.ndjson, expected that file or the folder of a run`);
  const [{ assessRound }, { assessOwn }] = await Promise.all([import('./round.ts'), import('./key-value/index.ts')]);
  const ranLevels = new RanLevels();
  const own = new LevelAnswers<AskedLevel>();
  const levels = options.levels && withoutOwn(options.levels);
  const anomalies: FoundAnomaly[] = [];
  const notes: Note[] = [];
  let rounds = 0;
  let transactions = 0;
  const { read, close } = piped?.[0] === undefined ? openStored(file) : inMemory(piped[0].bytes);
  const judgeAll = (): void => {
    for (const history of readHistories(read, { file, allowCut: options.allowCut })) {
      rounds++;
      transactions += history.transactions.count - 1;
      const { round, level: ran } = history.round;
      // An anomaly of a weaker level must not stand for the same one at the level that counts.
      const shown = (anomaly: Named): boolean =>
        wanted(
          options.report,
          anomalies.filter((each) => each.ran === ran),
          anomaly,
        );
      const { verdict, notes: odd } = assessRound(history, { ...(levels ? { levels } : {}), report: options.report });
      ranLevels.add(ran, history.transactions.count - 1, verdict.levels);
      for (const anomaly of verdict.anomalies) if (shown(anomaly)) anomalies.push({ round, ran, ...anomaly });
      for (const { name, ...witness } of unexplained(verdict))
        if (shown({ class: name })) anomalies.push({ round, ran, class: name, ...witness });
      if (options.levels?.some(isOwn) ?? history.transactions.level.some((level) => level !== undefined)) {
        const answered = assessOwn(history, options.report);
        own.add([answered]);
        const found = answered.anomalies.filter(({ name }) => shown({ class: name }));
        anomalies.push(...found.map(({ name, ...witness }) => ({ round, ran, class: name, ...witness })));
      }
      notes.push(...[...verdict.defects, ...odd].map((note) => noteAt(note, { round })));
      if (!history.complete) notes.push({ code: 'record-cut', round, data: {} });
      options.progress(() => `checked ${rounds} rounds, ${transactions} transactions, ${anomalies.length} anomalies shown`);
    }
  };
  const whole = orInterrupted(() => interruptible(judgeAll), close);
  const ofRounds = <L extends AskedLevel>(answers: readonly LevelAnswer<L>[]): readonly LevelAnswer<L>[] =>
    whole ? answers : answers.map(notBeyond);
  if (rounds === 0) notes.push({ code: 'no-rounds', data: {} });
  return {
    format: 'ndjson',
    rounds,
    transactions,
    levels: ofRounds([...ranLevels.answers(levels), ...own.list()]),
    ran: ranLevels.rows().map((row) => ({ ...row, levels: ofRounds(row.levels) })),
    anomalies,
    notes,
    ...(!whole && { interrupted: true }),
  };
}

/** Returns false if Ctrl-C came first. */
function orInterrupted(work: () => void, close: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof CheckInterrupted) return false;
    throw error;
  } finally {
    close();
  }
}

/** After an interruption nothing is known of the rounds that were not read. */
function notBeyond<L extends AskedLevel>(answered: LevelAnswer<L>): LevelAnswer<L> {
  const { level, answer } = answered;
  return answer === true ? { level, answer: 'unknown', reason: 'interrupted: it holds of the rounds that were judged by then' } : answered;
}

function inMemory(bytes: Uint8Array): StoredHistory {
  let at = 0;
  const read = (buffer: Uint8Array): number => {
    const part = bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    at += part.length;
    return part.length;
  };
  return { read, close: () => undefined };
}

function wanted(report: ReportMode, known: readonly FoundAnomaly[], anomaly: Named): boolean {
  if (report === 'all') return true;
  if (report === 'first') return known.length === 0;
  return !known.some((each) => each.class === anomaly.class && shapesOf(each) === shapesOf(anomaly));
}

interface Named {
  readonly class: string;
  readonly shapes?: readonly string[];
}

function shapesOf({ shapes }: Named): string {
  return shapes?.join() ?? '';
}

/** Returns AWDIT's witnesses for violated levels that no anomaly of the cycle search explains. */
function unexplained({ awdit, anomalies, levels }: Pick<RelationalVerdict, 'awdit' | 'anomalies' | 'levels'>): readonly KvAnomaly[] {
  return awdit.flatMap((verdict) => {
    const violated = levels.some(({ level, answer }) => level === verdict.level && answer === false);
    return violated && !anomalies.some((anomaly) => anomaly.levels.includes(verdict.level)) ? verdict.anomalies : [];
  });
}

const CONTRADICTION = 'a defect of this program, please report it: a checker finds nothing, but an anomaly names the level';

export const KV_LEVELS: readonly Level[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'];

async function checkPlume(file: string, options: CheckFileOptions): Promise<CheckedFile> {
  const levels = options.levels === undefined ? KV_LEVELS : withoutOwn(options.levels);
  const answered = new AnsweredSoFar();
  return untilInterrupted('plume', answered, levels, options, () => checkPlumeText(file, levels, answered, options));
}

/** Returns the answers so far, if Ctrl-C comes. */
async function untilInterrupted(
  format: string,
  answered: AnsweredSoFar,
  levels: readonly AskedLevel[],
  { report }: CheckFileOptions,
  check: () => Promise<CheckedFile>,
): Promise<CheckedFile> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof CheckInterrupted)) throw error;
    const { transactions } = answered;
    return { format, transactions, ...unified(answered.of(levels), report), notes: [], interrupted: true };
  }
}

async function checkPlumeText(
  file: string,
  levels: readonly Level[],
  answered: AnsweredSoFar,
  options: CheckFileOptions,
): Promise<CheckedFile> {
  const { history, verdicts } = await checkPlumeFile(file, {
    levels,
    report: options.report,
    answered,
    ...(options.signal && { signal: options.signal }),
    ...(options.maxMegabytes === undefined ? {} : { maxMegabytes: options.maxMegabytes }),
    progress: (phase, done, total) =>
      options.progress(() =>
        done === undefined || total === undefined ? phase : `${phase}: ${Math.floor((100 * done) / Math.max(1, total))} %`,
      ),
  });
  return {
    format: 'plume',
    transactions: history?.txnCount ?? 0,
    ...unified(history === undefined ? verdicts : unlessNothing(history, await witnessed(history, verdicts)), options.report),
    notes: history?.notes ?? [],
  };
}

/** The code that completes a witness is loaded only if there is one. */
async function witnessed(history: KvHistory, verdicts: readonly KvVerdict[]): Promise<readonly KvVerdict[]> {
  if (verdicts.every(({ anomalies }) => anomalies.length === 0)) return verdicts;
  const { certified } = await import('../../../check/index-strong.ts');
  return verdicts.map((verdict) => certified(history, verdict));
}

async function checkForeign(
  file: string,
  name: string,
  options: CheckFileOptions,
  piped: readonly HistoryFile[] | undefined,
): Promise<CheckedFile> {
  const { assessForeign } = await import('./foreign.ts');
  formatNamed(name);
  const answered = new AnsweredSoFar();
  const judge = (): CheckedFile => {
    const { format, parsed } = readForeignHistory(file, name, piped);
    const transactions = transactionsOf(parsed);
    answered.read(transactions);
    if (parsed.kind === 'bank')
      return {
        format: format.name,
        transactions,
        levels: (options.levels ?? []).map((level) => ({ level, answer: 'unknown', reason: NO_LEVELS })),
        anomalies: [],
        sum: checkBank(parsed.history, options.total),
        notes: parsed.history.notes,
      };
    const judged = assessForeign(parsed, {
      ...(options.levels ? { levels: options.levels } : {}),
      report: options.report,
      detected: options.format === 'auto',
      answered: answered.verdict,
      progress: options.progress,
    });
    if (judged.kind === 'kv')
      return { format: format.name, transactions, ...unified(judged.verdicts, options.report), notes: judged.notes };
    const { levels, anomalies } = judged.verdict;
    return { format: format.name, transactions, levels, anomalies: anomalies.map((each) => ({ round: 0, ...each })), notes: judged.notes };
  };
  return untilInterrupted(name, answered, options.levels ?? KV_LEVELS, options, () => {
    unlessInterrupted(options.signal);
    return Promise.resolve(interruptible(judge));
  });
}

function transactionsOf(parsed: ParsedHistory): number {
  if (parsed.kind === 'kv') return parsed.history.txnCount;
  if (parsed.kind === 'list') return parsed.history.transactions.length;
  const { committed, aborted, unknown } = parsed.history.transfers;
  return parsed.history.reads.length + committed + aborted + unknown;
}

/**
 * Merges the verdicts' anomalies into one list, so that one found at two levels is shown once. No anomaly may name a
 * level that holds. If one does, a checker is wrong, and the level is unknown.
 */
export function unified(
  verdicts: readonly KvVerdict<AskedLevel>[],
  report: ReportMode,
): { levels: LevelAnswer<AskedLevel>[]; anomalies: FoundAnomaly[] } {
  const levels = verdicts.map(({ level, answer, reason, code }): LevelAnswer<AskedLevel> => {
    const against = verdicts.flatMap(({ anomalies: found }) => found).find((anomaly) => anomaly.levels.includes(level));
    if (answer === true && against !== undefined) return { level, answer: 'unknown', reason: `${CONTRADICTION} (${against.explanation})` };
    return { level, answer, ...(reason === undefined ? {} : { reason }), ...(code === undefined ? {} : { code }) };
  });
  const seen = new Set<string>();
  const anomalies: FoundAnomaly[] = [];
  for (const { name, ...anomaly } of verdicts.flatMap((verdict) => verdict.anomalies)) {
    const key = report === 'class' ? name : `${name} ${anomaly.explanation}`;
    if (seen.has(key) || (report === 'first' && seen.size > 0)) continue;
    seen.add(key);
    anomalies.push({ class: name, ...anomaly });
  }
  return { levels, anomalies };
}
