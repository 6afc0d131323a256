/**
 * The key-value workloads: one table of objects, and transactions that read and write single objects by their key. They
 * run uninstrumented, since their results show everything. Every value is written once, except by the applications:
 *
 *   mini     one or two reads, at most two writes, each after a read of its object (mini-transactions, ICDE 2025)
 *   general  20 % read-only, 40 % write-only, 40 % read-modify-write, of a given number of operations (Cobra, PolySI)
 *   append   reads of whole lists and appends to them, as SQL: a text column, concatenation, upsert (Elle, VLDB 2020).
 *            An element is `,<txn>.<write>`, so a list spells its own version order
 *   lwt      lightweight transactions (mini-transaction paper, IV-E): single reads and compare-and-sets
 *
 * The applications are transactions whose values repeat (applications.ts).
 */
import { INITIAL_LIST, keySampler, listEntry } from '../../core/index.ts';
import type { Distribution, Random, Schema, SessionPlan, Statement, TestCase, TxnPlan } from '../../core/index.ts';
import { ApplicationDraw } from './application-draw.ts';
import { APPLICATIONS } from './applications.ts';
import type { ApplicationName } from './applications.ts';
import { distinctKeys } from './distinct-keys.ts';
import { LateObjects } from './late-objects.ts';
import { lightweight } from './lightweight.ts';
import { KEY_VALUE_TABLE, append, read, upsert, write } from './statements.ts';
import { createRandom } from '../prng.ts';
import { generateSchedule } from '../schedule.ts';

export type KeyValueKind = 'mini' | 'general' | 'append' | 'lwt' | ApplicationName;

export interface KeyValueOptions {
  readonly kind: KeyValueKind;
  readonly mode?: 'stress' | 'schedule';
  readonly sessions?: number;
  /** The number of transactions per session. */
  readonly transactions?: number;
  /** The number of objects. An application has approximately this many. */
  readonly objects?: number;
  readonly distribution?: Distribution;
  /** The number of operations of a general transaction. */
  readonly operations?: number;
  /**
   * The percentage of transactions, of `mini` and `general`, that concern objects which do not exist at first. The
   * default is none.
   */
  readonly late?: number;
}

interface Row {
  readonly sessions: number;
  readonly objects: number;
  /** The number of transactions per session: a stress round takes a second or a few. */
  readonly transactions: number;
  readonly operations: number;
}

/**
 * Mini-transactions are cheap to run and to check. Histories with blind writes are NP-hard to check, so they stay
 * short.
 */
const DEFAULTS: Readonly<Record<KeyValueKind, Row>> = {
  mini: { sessions: 8, objects: 20, transactions: 250, operations: 4 },
  general: { sessions: 8, objects: 100, transactions: 50, operations: 8 },
  append: { sessions: 8, objects: 20, transactions: 100, operations: 4 },
  lwt: { sessions: 8, objects: 10, transactions: 500, operations: 1 },
  'twitter-kv': { sessions: 8, objects: 200, transactions: 50, operations: 4 },
  'rubis-kv': { sessions: 8, objects: 200, transactions: 50, operations: 4 },
  'tpcc-kv': { sessions: 8, objects: 200, transactions: 50, operations: 4 },
};
/** A schedule runs one statement at a time, and few transactions have many orders. */
const SCHEDULED = { sessions: 3, objects: 3, transactions: 2, operations: 4 } satisfies Row;
/** Each of them is a single step. */
const SCHEDULED_STEPS = { sessions: 3, objects: 2, transactions: 8, operations: 1 } satisfies Row;

/** The number of objects that exist at first, if none is asked for. An application has approximately this many. */
export function defaultObjects(kind: KeyValueKind, mode: 'stress' | 'schedule'): number {
  return rowOf(kind, mode).objects;
}

function rowOf(kind: KeyValueKind, mode: 'stress' | 'schedule'): Row {
  return mode === 'stress' ? DEFAULTS[kind] : kind === 'lwt' ? SCHEDULED_STEPS : SCHEDULED;
}

export function generateKeyValue(seed: string, options: KeyValueOptions): TestCase {
  const { kind, mode = 'stress', distribution = 'uniform', late: share = 0 } = options;
  const row = rowOf(kind, mode);
  const { sessions = row.sessions, transactions = row.transactions, objects: wanted = row.objects, operations = row.operations } = options;
  const random = createRandom(seed);
  const application = isApplication(kind) ? new ApplicationDraw(APPLICATIONS[kind], wanted) : undefined;
  const objects = application?.objects ?? wanted;
  let id = 0;
  let value = 0;
  const plans = Array.from({ length: sessions }, (_, session): SessionPlan => {
    const stream = random.fork(`session ${session}`);
    const draw: Draw = {
      random: stream,
      operations,
      keys: distinctKeys(keySampler(distribution, objects, stream.fork('keys')), objects),
      nextValue: () => ++value,
    };
    if (kind === 'lwt')
      return {
        transactions: lightweight(stream, () => draw.keys(1)[0]!, draw.nextValue, transactions).map((statement): TxnPlan => ({
          id: ++id,
          statements: [statement],
          end: 'commit',
          autocommit: true,
        })),
      };
    const next = isApplication(kind) ? application!.session(distribution, stream) : (): readonly Statement[] => SHAPES[kind](draw, id);
    const late = new LateObjects(
      stream.fork('late'),
      { share, transactions, objects, sessions, blind: kind === 'general' },
      draw.nextValue,
    );
    return {
      transactions: Array.from({ length: transactions }, (): TxnPlan => ({
        id: ++id,
        statements: late.next() ?? next(),
        end: 'commit',
        autocommit: false,
      })),
    };
  });
  const testCase: TestCase = {
    seed,
    schema: schemaOf(kind, objects),
    sessions: plans,
    ...((kind === 'lwt' || application) && { binds: true }),
  };
  return mode === 'stress' ? testCase : { ...testCase, schedule: generateSchedule(random.fork('schedule'), plans) };
}

function isApplication(kind: KeyValueKind): kind is ApplicationName {
  return kind in APPLICATIONS;
}

interface Draw {
  readonly random: Random;
  readonly operations: number;
  /** Returns this many different keys, or all keys if there are fewer. */
  readonly keys: (count: number) => readonly number[];
  readonly nextValue: () => number;
}

const SHAPES: Readonly<Record<Exclude<KeyValueKind, 'lwt' | ApplicationName>, (draw: Draw, txn: number) => readonly Statement[]>> = {
  mini,
  general,
  append: appending,
};

/** The forms of the paper's Table II: a read alone, two reads, and all forms that can follow them. */
const MINI_FORMS = { r: 10, rr: 10, rw: 30, rrw: 25, rrww: 15, rwrw: 10 } as const;

function mini({ random, keys, nextValue }: Draw): readonly Statement[] {
  const form = random.weighted(MINI_FORMS);
  const [x = 0, y = x] = keys(form.startsWith('rr') || form === 'rwrw' ? 2 : 1);
  const change = (key: number): Statement => write(key, nextValue());
  if (form === 'r' || form === 'rw') return form === 'r' ? [read(x)] : [read(x), change(x)];
  if (form === 'rwrw') return x === y ? [read(x), change(x)] : [read(x), change(x), read(y), change(y)];
  const reads = x === y ? [read(x)] : [read(x), read(y)];
  if (form === 'rr') return reads;
  return form === 'rrw' || x === y ? [...reads, change(x)] : [...reads, change(x), change(y)];
}

const GENERAL_FORMS = { 'read only': 20, 'write only': 40, 'read modify write': 40 } as const;

/** A read-modify-write transaction reads first, then writes half of the objects it has read. */
function general({ random, keys, nextValue, operations }: Draw): readonly Statement[] {
  const form = random.weighted(GENERAL_FORMS);
  if (form === 'read only') return keys(operations).map(read);
  if (form === 'write only') return keys(operations).map((key) => write(key, nextValue()));
  const known = keys(Math.max(1, Math.ceil((operations * 2) / 3)));
  const changed = random.shuffle(known).slice(0, Math.max(1, Math.min(known.length, Math.floor(operations / 3))));
  return [...known.map(read), ...changed.map((key) => write(key, nextValue()))];
}

/**
 * A few concern one list alone, read (r) and appended to (a) more than once. They show what is seen of own appends, and
 * of others' first ones.
 */
const APPEND_FORMS = { 'each once': 85, rar: 5, aa: 4, raar: 3, rr: 3 } as const;

function appending({ random, keys, operations }: Draw, txn: number): readonly Statement[] {
  let seq = 0;
  const change = (key: number): Statement => (random.chance(0.5) ? append : upsert)(key, listEntry(txn, ++seq));
  const form = random.weighted(APPEND_FORMS);
  if (form !== 'each once' && form.length <= operations) {
    const [x = 0] = keys(1);
    return Array.from(form, (step) => (step === 'r' ? read : change)(x));
  }
  const chosen = keys(Math.max(1, random.int(1, operations)));
  const reads = random.chance(0.3) ? chosen.length : random.int(0, chosen.length);
  const shown = chosen.slice(0, reads);
  // Some append to a list that they have read, some to another list.
  const rest = reads === chosen.length ? [] : chosen.slice(reads);
  const changed = reads === chosen.length && random.chance(0.7) ? random.shuffle(shown).slice(0, 1) : rest;
  return [...shown.map(read), ...changed.map(change)];
}

function schemaOf(kind: KeyValueKind, objects: number): Schema {
  const listed = kind === 'append';
  return {
    tables: [
      {
        name: KEY_VALUE_TABLE,
        columns: [
          { name: 'k', type: { kind: 'integer' }, nullable: false },
          { name: 'v', type: { kind: listed ? 'text' : 'integer' }, nullable: false },
        ],
        primaryKey: ['k'],
        uniques: [],
        checks: [],
        foreignKeys: [],
        indexes: [],
        rows: Array.from({ length: objects }, (_, key) => [key, listed ? INITIAL_LIST : 0]),
      },
    ],
  };
}
