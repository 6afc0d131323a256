/**
 * Reads the lines of our own histories (docs/HISTORY-FORMAT.md), round by round and in constant memory per round: bytes
 * in chunks -> lines -> events -> HistoryBuilder. Every line is checked against a table of fields before it is used. An
 * error names the file, the line, what stood there and what was expected.
 */
import {
  UNOBSERVED,
  HISTORY_FORMAT,
  HISTORY_VERSIONS,
  HistoryBuilder,
  LEVELS,
  SENT_KINDS,
  StatementTexts,
  UsageError,
  sentKindsThat,
} from '../../core/index.ts';
import type { HeaderEvent, History, HistoryEvent, ObjectOperation, WrittenEvent } from '../../core/index.ts';
import { withOperations } from './before-operations.ts';

type FieldType =
  | 'natural'
  | 'time'
  | 'text'
  | 'level'
  | 'boolean'
  | 'texts'
  | 'pairs'
  | 'statuses'
  | 'triples'
  | 'record'
  | 'counts'
  | 'places'
  | 'results'
  | 'combinations'
  | 'naturals'
  | 'references'
  | 'operation';
type Fields = Readonly<Record<string, FieldType>>;

/** The fields of each event: those that must be there, and those that may. */
const EVENTS: Readonly<Record<HistoryEvent['e'], { readonly must: Fields; readonly may: Fields }>> = {
  header: { must: { format: 'text', version: 'natural', tool: 'text', seed: 'text' }, may: {} },
  round: {
    must: {
      round: 'natural',
      seed: 'text',
      dialect: 'text',
      server: 'text',
      level: 'level',
      mode: 'text',
      instrument: 'text',
      sessions: 'natural',
      endpoints: 'texts',
      tables: 'texts',
      configuration: 'record',
    },
    may: { namespace: 'text', keys: 'places', references: 'references', followed: 'texts', objects: 'boolean', contents: 'text' },
  },
  invoke: {
    must: { s: 'natural', t: 'natural', n: 'natural', k: 'text', at: 'time' },
    may: {
      sql: 'text',
      q: 'natural',
      seq: 'natural',
      p: 'natural',
      table: 'text',
      reads: 'text',
      reason: 'text',
      locks: 'texts',
      nested: 'boolean',
      op: 'operation',
      name: 'text',
      auto: 'boolean',
      level: 'level',
      endpoint: 'natural',
    },
  },
  ok: {
    must: { s: 'natural', t: 'natural', n: 'natural', at: 'time' },
    may: {
      rows: 'natural',
      changed: 'natural',
      r: 'triples',
      w: 'triples',
      d: 'triples',
      i: 'results',
      result: 'results',
      incomplete: 'text',
      level: 'text',
      backend: 'text',
      tag: 'text',
      xid: 'text',
      blocked: 'boolean',
      status: 'statuses',
    },
  },
  fail: {
    must: { s: 'natural', t: 'natural', n: 'natural', at: 'time', code: 'text', class: 'text', scope: 'text', message: 'text' },
    may: { blocked: 'boolean', status: 'statuses' },
  },
  end: { must: { s: 'natural', t: 'natural', at: 'time', outcome: 'text' }, may: {} },
  images: { must: { table: 'text', rids: 'texts', images: 'results' }, may: {} },
  versions: { must: { table: 'text', versions: 'pairs' }, may: {} },
  predicate: {
    must: { t: 'natural', n: 'natural', table: 'text' },
    may: { matches: 'text', all: 'boolean', beside: 'boolean', when: 'combinations', met: 'boolean' },
  },
  look: { must: { t: 'natural', n: 'natural', table: 'text', why: 'text' }, may: { yes: 'naturals', open: 'naturals' } },
  evaluated: { must: { predicates: 'natural', versions: 'natural', skipped: 'counts' }, may: {} },
  close: { must: { round: 'natural', at: 'time', complete: 'boolean' }, may: { reason: 'text' } },
};

const EXPLORED = sentKindsThat('explored');

const WORDS: Readonly<Record<string, readonly string[]>> = {
  k: SENT_KINDS.filter((kind) => !EXPLORED.has(kind)),
  outcome: ['committed', 'aborted', 'unknown'],
  scope: ['statement', 'transaction', 'connection'],
  tag: ['commit', 'rollback'],
  mode: ['stress', 'schedule'],
  instrument: ['exact', 'paper', 'none'],
  contents: ['values', 'repeated', 'lists'],
  why: UNOBSERVED.map(({ name }) => name),
};

const ACTIONS = ['no action', 'cascade', 'set null', 'set default'];

const isNatural = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0x7fffffff;
const isStatus = (value: unknown): boolean => ['outside', 'inside', 'failed'].includes(value as string);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const isNaturals = (value: unknown): boolean => Array.isArray(value) && value.every(isNatural);
const isReference = (value: Record<string, unknown>): boolean =>
  typeof value['table'] === 'string' &&
  typeof value['parent'] === 'string' &&
  isNaturals(value['columns']) &&
  isNaturals(value['references']) &&
  ACTIONS.includes(value['onDelete'] as string) &&
  ACTIONS.includes(value['onUpdate'] as string);

const isExpected = (value: unknown): boolean => value === undefined || value === null || isNatural(value);
/** The checks of the fields that each operation has beside `do`. */
const isFlag = (value: unknown): boolean => value === undefined || value === true;

const OPERATIONS: Readonly<Record<ObjectOperation['do'], (fields: Record<string, unknown>) => boolean>> = {
  read: ({ key, value, expected, late }) =>
    (key === undefined ? expected === undefined && late === undefined : isNatural(key)) &&
    value === undefined &&
    isExpected(expected) &&
    isFlag(late),
  write: ({ key, value, expected, ifAbsent }) => isNatural(key) && isNatural(value) && isExpected(expected) && isFlag(ifAbsent),
  append: ({ key, value, expected }) => isNatural(key) && value === undefined && expected === undefined,
};

const TYPES: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  natural: isNatural,
  time: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  text: (value) => typeof value === 'string',
  level: (value) => LEVELS.some(({ level }) => level === value),
  boolean: (value) => typeof value === 'boolean',
  texts: isTexts,
  pairs: (value) => isTexts(value) && value.length % 2 === 0,
  triples: (value) => isTexts(value) && value.length % 3 === 0,
  record: (value) => isRecord(value) && Object.values(value).every((item) => typeof item === 'string'),
  counts: (value) => isRecord(value) && Object.values(value).every((item) => Number.isInteger(item)),
  places: (value) => isRecord(value) && Object.values(value).every((item) => Array.isArray(item) && item.every(isNatural)),
  results: (value) =>
    Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every((cell) => cell === null || typeof cell === 'string')),
  combinations: (value) =>
    isRecord(value) &&
    'tables' in value &&
    isTexts(value.tables) &&
    'versions' in value &&
    Array.isArray(value.versions) &&
    value.versions.every(isNatural),
  naturals: isNaturals,
  statuses: (value) =>
    isRecord(value) && 'expected' in value && 'reported' in value && isStatus(value.expected) && isStatus(value.reported),
  operation: (value) =>
    isRecord(value) &&
    'do' in value &&
    Object.hasOwn(OPERATIONS, value.do as string) &&
    OPERATIONS[value.do as ObjectOperation['do']](value),
  references: (value) =>
    Array.isArray(value) && value.every((each: unknown) => isRecord(each) && isReference(each as Record<string, unknown>)),
};

/** Descriptions of the types whose name does not explain them. */
const MEANING: Readonly<Partial<Record<FieldType, string>>> = {
  level: `one of ${LEVELS.map(({ level }) => level).join(', ')}`,
  texts: 'a list of texts',
  pairs: 'a flat list of pairs of texts: row id, <txn>.<seq>',
  triples: 'a flat list of triples of texts: table, row id, write list',
  record: 'an object of texts',
  counts: 'an object of whole numbers',
  places: 'an object of lists of whole numbers',
  results: 'a list of rows, each a list of texts or null',
  combinations: 'an object of "tables", a list of texts, and "versions", a list of whole numbers',
  naturals: 'a list of whole numbers',
  statuses: 'an object of "expected" and "reported", each "outside", "inside" or "failed"',
  operation:
    'an object of "do": "read" (of a "key", or of all), "write" (of a "key" and a "value") or "append" (to a "key"), and what it "expected", null or a whole number, of a read or a write on condition; "late", true, of a read, "ifAbsent", true, of a write',
  references: 'a list of foreign keys: "table", "columns", "parent", "references", "onDelete", "onUpdate"',
};

export interface ReadHistoriesOptions {
  /** The file name for messages. */
  readonly file: string;
  /** Accepts a file whose last line was cut off. The whole lines are checked, and the round counts as incomplete. */
  readonly allowCut?: boolean;
}

/**
 * Yields one History per round, in file order. `read` fills the buffer and returns the number of bytes, 0 at the end.
 * Throws UsageError.
 */
export function* readHistories(read: (buffer: Uint8Array) => number, options: ReadHistoriesOptions): Generator<History> {
  let builder: HistoryBuilder | undefined;
  for (const event of readEvents(read, options)) {
    if (event.e === 'round') {
      if (builder) yield withOperations(builder.finish());
      builder = new HistoryBuilder(event);
    } else builder?.add(event);
  }
  if (builder) yield withOperations(builder.finish());
}

/** Yields the events themselves, the header first, every statement with its text. */
export function* readEvents(
  read: (buffer: Uint8Array) => number,
  { file, allowCut = false }: ReadHistoriesOptions,
): Generator<HistoryEvent> {
  let headed = false;
  let inRound = false;
  let number = 0;
  const texts = new StatementTexts();
  /** The session of each transaction of the round. */
  const sessions = new Map<number, number>();
  for (const { line, whole } of lines(read)) {
    number++;
    if (line === '') continue;
    if (!whole && allowCut) break;
    const written = parseEvent(line, number, whole, file);
    if (written.e === 'header') {
      if (number !== 1) throw bad(file, number, 'a second header', 'one header, on line 1');
      headed = true;
      yield checkedHeader(written, file);
      continue;
    }
    if (!headed) throw notAHistory(file, line);
    const named = texts.read(written);
    if (named.problem) throw bad(file, number, named.problem.got, named.problem.expected);
    const { event } = named;
    if (event.e === 'round') {
      inRound = true;
      sessions.clear();
    } else if (!inRound) throw bad(file, number, `a ${event.e} event`, 'a round event before it');
    if (event.e === 'invoke') {
      const session = sessions.get(event.t) ?? event.s;
      if (session !== event.s)
        throw bad(
          file,
          number,
          `a statement of transaction ${event.t} in session ${event.s}`,
          `session ${session}, where the transaction began: a transaction belongs to one session`,
        );
      sessions.set(event.t, session);
    }
    yield event;
  }
  if (!headed) throw notAHistory(file, '');
}

/** Tells whether the file begins like one of ours. */
export function looksLikeHistory(firstBytes: string): boolean {
  return /^\s*\{"e":"header","format":"anomalist-history"/.test(firstBytes);
}

function* lines(read: (buffer: Uint8Array) => number): Generator<{ line: string; whole: boolean }> {
  const buffer = new Uint8Array(1 << 20);
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let rest = '';
  for (let got = read(buffer); got > 0; got = read(buffer)) {
    const text = rest + decoder.decode(buffer.subarray(0, got), { stream: true });
    let from = 0;
    for (let to = text.indexOf('\n', from); to >= 0; to = text.indexOf('\n', from)) {
      yield { line: text.slice(from, to), whole: true };
      from = to + 1;
    }
    rest = text.slice(from);
  }
  rest += decoder.decode();
  if (rest !== '') yield { line: rest, whole: false };
}

function parseEvent(line: string, number: number, whole: boolean, file: string): WrittenEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    if (!whole && number > 1) {
      throw new UsageError(
        `${file}:${number}: the file ends in the middle of a line (${clip(line)}); expected a whole JSON event and a line end. ` +
          'If the run was killed, pass --allow-cut to check the complete lines.',
      );
    }
    if (number === 1) throw notAHistory(file, line);
    throw bad(file, number, clip(line), 'one JSON event');
  }
  const problem = fieldProblem(value);
  if (problem !== undefined) {
    if (number === 1) throw notAHistory(file, line);
    throw bad(file, number, problem.got, problem.expected);
  }
  return value as WrittenEvent;
}

function fieldProblem(value: unknown): { got: string; expected: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { got: clip(JSON.stringify(value)), expected: 'an object with the field "e"' };
  const event = value as Record<string, unknown>;
  const kind = event['e'];
  const fields = typeof kind === 'string' && Object.hasOwn(EVENTS, kind) ? EVENTS[kind as HistoryEvent['e']] : undefined;
  if (fields === undefined) return { got: `"e": ${clip(JSON.stringify(kind))}`, expected: `one of ${Object.keys(EVENTS).join(', ')}` };
  for (const [name, type] of Object.entries(fields.must)) {
    if (!TYPES[type](event[name]))
      return {
        got: `"${name}": ${clip(JSON.stringify(event[name]))} in a ${String(kind)} event`,
        expected: MEANING[type] ?? `a ${type} value`,
      };
  }
  for (const [name, type] of Object.entries(fields.may)) {
    if (event[name] !== undefined && !TYPES[type](event[name]))
      return {
        got: `"${name}": ${clip(JSON.stringify(event[name]))} in a ${String(kind)} event`,
        expected: MEANING[type] ?? `a ${type} value`,
      };
  }
  for (const [name, words] of Object.entries(WORDS)) {
    const word = event[name];
    if (word !== undefined && (fields.must[name] ?? fields.may[name]) !== undefined && !words.includes(word as string)) {
      return { got: `"${name}": ${clip(JSON.stringify(word))}`, expected: `one of ${words.join(', ')}` };
    }
  }
  if (kind === 'invoke' && event['t'] === 0) return { got: 'transaction 0', expected: 'transactions from 1: 0 is the initial state' };
  return undefined;
}

function checkedHeader(event: HeaderEvent, file: string): HeaderEvent {
  // The file may contain anything. The types describe only what this version writes.
  const header: { readonly format: string; readonly version: number; readonly tool: string } = event;
  if (header.format !== HISTORY_FORMAT) throw notAHistory(file, JSON.stringify(header));
  if (!HISTORY_VERSIONS.some((version) => version === header.version)) {
    throw new UsageError(
      `${file}:1: history format version ${header.version}; this program reads versions ${HISTORY_VERSIONS.join(' and ')}. Use the version of anomalist that wrote it (${clip(header.tool)}).`,
    );
  }
  return event;
}

function notAHistory(file: string, line: string): UsageError {
  return new UsageError(
    `${file} is no history of anomalist: line 1 is ${line === '' ? 'empty' : clip(line)}; expected {"e":"header","format":"${HISTORY_FORMAT}",...}. Give the history of a run (history.ndjson.gz or history.ndjson), or name another format with --format.`,
  );
}

function bad(file: string, number: number, got: string, expected: string): UsageError {
  return new UsageError(`${file}:${number}: got ${got}; expected ${expected}.`);
}

function clip(text: string | undefined): string {
  // The bytes of a binary file could control the terminal.
  const shown = (text ?? 'nothing').slice(0, 200).replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  return shown.length > 80 ? `${shown.slice(0, 77)}...` : shown;
}
