/**
 * A hand-made report: a lost update (documented at read committed, replayed bare), a write skew that the documents rule
 * out at serializable (never replayed bare), and a level that tested nothing.
 */
import type { Vendor } from '../../../core/dialect/index.ts';
import type { SentKind } from '../../../core/history/index.ts';
import type { Coverage, AnomalyFinding, LevelReport, Report, ReportedStatement, Sink } from '../../../core/verdict/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';

type Extra = Partial<Omit<ReportedStatement, 'session' | 'txn' | 'index' | 'kind' | 'sql' | 'invokeAt'>>;

function statement(
  session: number,
  txn: number,
  index: number,
  kind: SentKind,
  sql: string,
  invokeAt: number,
  replyAt: number | null,
  extra: Extra = {},
): ReportedStatement {
  return {
    session,
    txn,
    index,
    number: index % 10,
    kind,
    sql,
    invokeAt,
    replyAt,
    blocked: false,
    rows: null,
    error: null,
    result: null,
    versions: [],
    ...extra,
  };
}

const SETUP = [
  'CREATE TABLE accounts (id integer PRIMARY KEY, owner text NOT NULL, balance integer NOT NULL, iso_rid text, iso_w text);',
  "INSERT INTO accounts VALUES (1, 'Ann', 100, 'r0.1_1', ',0.0'), (2, 'Bob', 100, 'r0.1_2', ',0.0');",
];

const ms = 1_000_000;

export function vendorNamed(name: string): Vendor {
  return DIALECTS.find((dialect) => dialect.name === name)!.vendor;
}

export const LOST_UPDATE: AnomalyFinding = {
  kind: 'anomaly',
  id: 'f-lost-update',
  target: 'postgres@18',
  vendor: vendorNamed('postgres'),
  level: 'read-committed',
  round: 3,
  anomaly: {
    class: 'G-single-item',
    shapes: ['lost update'],
    levels: ['cursor-stability', 'repeatable-read', 'snapshot-isolation', 'serializable', 'strict-serializable'],
    cycle: [
      {
        from: 1,
        to: 2,
        rel: 'rw',
        table: 'accounts',
        row: 'r0.1_1',
        fromStatement: 1,
        toStatement: 12,
        readPoint: 'snapshot',
        explanation:
          'T1 read row r0.1_1 of accounts at version 0.0 (its statement 1), which T2 replaced with version 2.1 (its statement 2).',
      },
      {
        from: 2,
        to: 1,
        rel: 'ww',
        table: 'accounts',
        row: 'r0.1_1',
        fromStatement: 12,
        toStatement: 2,
        explanation:
          'T2 wrote version 2.1 of row r0.1_1 of accounts (its statement 2) and T1 overwrote it with version 1.1 (its statement 2).',
      },
    ],
    transactions: [1, 2],
    statements: [1, 12, 2],
    explanation:
      'T1 and T2 both read the balance 100 of row r0.1_1 and both wrote it: the update of T2 is lost. T1 before T2 would give T2 a balance of 120, T2 before T1 would give T1 a balance of 130; both saw 100.',
    fingerprint: 'rw(select,update)a ww(update,update)a',
  },
  judgement: {
    verdict: 'documented',
    row: {
      level: 'read-committed',
      classes: ['G-single-item'],
      verdict: 'documented',
      says: 'at Read Committed two successive commands of a transaction may see different data, and a waiting UPDATE re-reads the row.',
      source: 'PostgreSQL 18 documentation, 13.2.1, https://www.postgresql.org/docs/18/transaction-iso.html',
      date: '2025-09-25',
      version: '18',
    },
  },
  count: 14,
  transactions: [
    { id: 1, session: 0, outcome: 'committed' },
    { id: 2, session: 1, outcome: 'committed' },
  ],
  statements: [
    statement(0, 1, 0, 'begin', 'BEGIN ISOLATION LEVEL READ COMMITTED', 0, 0.2 * ms),
    statement(0, 1, 1, 'select', 'SELECT balance FROM accounts WHERE id = 1', 0.3 * ms, 0.8 * ms, {
      rows: 1,
      result: [['100']],
      versions: [{ role: 'read', table: 'accounts', rid: 'r0.1_1', list: ',0.0' }],
    }),
    statement(1, 2, 10, 'begin', 'BEGIN ISOLATION LEVEL READ COMMITTED', 0.9 * ms, 1.1 * ms),
    statement(1, 2, 11, 'select', 'SELECT owner, balance FROM accounts WHERE id BETWEEN 1 AND 2', 1.2 * ms, 1.6 * ms, {
      rows: 2,
      result: [
        ['Ann', '100'],
        ['Bob', null],
      ],
      versions: [
        { role: 'read', table: 'accounts', rid: 'r0.1_1', list: ',0.0' },
        { role: 'read', table: 'accounts', rid: 'r0.1_2', list: ',0.0' },
      ],
    }),
    statement(1, 2, 12, 'update', 'UPDATE accounts SET balance = 130 WHERE id = 1', 1.7 * ms, 2.1 * ms, {
      rows: 1,
      versions: [{ role: 'write', table: 'accounts', rid: 'r0.1_1', list: ',0.0,2.1' }],
    }),
    statement(0, 1, 2, 'update', 'UPDATE accounts SET balance = 120 WHERE id = 1', 2.2 * ms, 14 * ms, {
      rows: 1,
      blocked: true,
      versions: [{ role: 'write', table: 'accounts', rid: 'r0.1_1', list: ',0.0,2.1,1.1' }],
    }),
    statement(1, 2, 13, 'insert', "INSERT INTO accounts VALUES (1, 'Cyd', 5)", 2.4 * ms, 2.9 * ms, {
      error: 'duplicate key value violates unique constraint "accounts_pkey"',
    }),
    statement(1, 2, 14, 'commit', 'COMMIT', 13.5 * ms, 13.9 * ms),
    statement(0, 1, 3, 'commit', 'COMMIT', 14.2 * ms, 14.6 * ms),
  ],
  setup: SETUP,
  replay: 'anomalist replay out/2026-01-02-a1/finding-2.json',
  bareReplay: { tries: 10, seen: 9 },
};

export const WRITE_SKEW: AnomalyFinding = {
  kind: 'anomaly',
  id: 'f-write-skew',
  target: 'postgres@18',
  vendor: vendorNamed('postgres'),
  level: 'serializable',
  round: 7,
  anomaly: {
    class: 'G2-item',
    shapes: ['write skew'],
    levels: ['repeatable-read', 'serializable', 'strict-serializable'],
    cycle: [
      {
        from: 5,
        to: 6,
        rel: 'rw',
        table: 'accounts',
        row: 'r0.1_2',
        fromStatement: 21,
        toStatement: 32,
        readPoint: 'snapshot',
        explanation:
          'T5 read row r0.1_2 of accounts at version 0.0 (its statement 1), which T6 replaced with version 6.1 (its statement 2).',
      },
      {
        from: 6,
        to: 5,
        rel: 'rw',
        table: 'accounts',
        row: 'r0.1_1',
        fromStatement: 31,
        toStatement: 22,
        readPoint: 'snapshot',
        explanation:
          'T6 read row r0.1_1 of accounts at version 0.0 (its statement 1), which T5 replaced with version 5.1 (its statement 2).',
      },
    ],
    transactions: [5, 6],
    statements: [21, 32, 31, 22],
    explanation:
      'T5 and T6 each read the row that the other wrote, before it was written. In every serial order the second of them sees the write of the first.',
    fingerprint: 'rw(select,update)a rw(select,update)b',
  },
  judgement: {
    verdict: 'bug',
    row: {
      level: 'serializable',
      classes: ['G2-item'],
      verdict: 'bug',
      says: 'concurrent execution of Serializable transactions has the same effect as some serial order.',
      source: 'PostgreSQL 18 documentation, 13.2.3',
      date: '2025-09-25',
      version: '18',
    },
  },
  count: 1,
  transactions: [
    { id: 5, session: 0, outcome: 'committed' },
    { id: 6, session: 2, outcome: 'unknown' },
  ],
  statements: [
    statement(0, 5, 20, 'begin', 'BEGIN ISOLATION LEVEL SERIALIZABLE', 0, 0.1 * ms),
    statement(2, 6, 30, 'begin', 'BEGIN ISOLATION LEVEL SERIALIZABLE', 0.2 * ms, 0.3 * ms),
    statement(0, 5, 21, 'select', 'SELECT balance FROM accounts WHERE id = 2', 0.4 * ms, 0.9 * ms, {
      rows: 1,
      result: [['100']],
      versions: [{ role: 'read', table: 'accounts', rid: 'r0.1_2', list: ',0.0' }],
    }),
    statement(2, 6, 31, 'select', 'SELECT balance FROM accounts WHERE id = 1', 0.5 * ms, 0.8 * ms, {
      rows: 1,
      result: [['100']],
      versions: [{ role: 'read', table: 'accounts', rid: 'r0.1_1', list: ',0.0' }],
    }),
    statement(0, 5, 22, 'update', 'UPDATE accounts SET balance = -50 WHERE id = 1', 1 * ms, 1.4 * ms, {
      rows: 1,
      versions: [{ role: 'write', table: 'accounts', rid: 'r0.1_1', list: ',0.0,5.1' }],
    }),
    statement(2, 6, 32, 'update', 'UPDATE accounts SET balance = -50 WHERE id = 2', 1.1 * ms, 1.5 * ms, {
      rows: 1,
      versions: [{ role: 'write', table: 'accounts', rid: 'r0.1_2', list: ',0.0,6.1' }],
    }),
    statement(0, 5, 23, 'commit', 'COMMIT', 1.6 * ms, 1.9 * ms),
    statement(2, 6, 33, 'commit', 'COMMIT', 1.7 * ms, null),
  ],
  setup: SETUP,
  replay: 'anomalist replay out/2026-01-02-a1/finding-1.json',
};

const COVERAGE: Coverage = {
  rounds: 12,
  transactions: 4321,
  statements: 23456,
  committed: 4000,
  aborted: 318,
  unknown: 3,
  errors: { serialization: 210, deadlock: 8, constraint: 100 },
  reads: { exact: 9000, partial: 40, none: 2 },
  conflicts: { 'select-update rw': 812, 'update-update ww': 377, 'update-select wr': 290, 'insert-select wr': 77 },
  blocked: 655,
};

const SERVER = 'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc 14.2.0, 64-bit';
const CONFIGURATION = { default_transaction_isolation: 'read committed', synchronous_commit: 'on' };

const LEVELS_RUN: readonly LevelReport[] = [
  {
    target: 'postgres@18',
    level: 'read-committed',
    server: SERVER,
    make: { words: SERVER, number: '18.4' },
    configuration: CONFIGURATION,
    coverage: COVERAGE,
    answers: [
      { level: 'serializable', answer: false },
      { level: 'read-uncommitted', answer: true },
      { level: 'read-committed', answer: true },
      { level: 'cursor-stability', answer: false },
      { level: 'snapshot-isolation', answer: false },
    ],
    classes: { 'G-single-item': { documented: 14 }, 'G2-item': { documented: 5 } },
    shapes: { 'lost update': 14, 'write skew': 5, 'read skew': 2 },
    names: { 'lost update': { documented: 14 }, 'write skew': { documented: 5 } },
    inForce: { 'read committed': 4321 },
  },
  {
    target: 'postgres@18',
    level: 'repeatable-read',
    server: SERVER,
    make: { words: SERVER, number: '18.4' },
    configuration: CONFIGURATION,
    coverage: {
      ...COVERAGE,
      transactions: 3,
      committed: 3,
      aborted: 0,
      unknown: 0,
      statements: 9,
      conflicts: {},
      errors: {},
      blocked: 0,
      rounds: 1,
    },
    answers: [{ level: 'repeatable-read', answer: 'unknown', reason: 'no two committed transactions conflicted' }],
    classes: {},
    shapes: {},
    names: {},
    inconclusive: 'no two committed transactions conflicted while they overlapped: nothing was tested',
  },
  {
    target: 'postgres@18',
    level: 'serializable',
    server: SERVER,
    make: { words: SERVER, number: '18.4' },
    configuration: CONFIGURATION,
    coverage: { ...COVERAGE, committed: 3001, aborted: 1317 },
    answers: [
      { level: 'read-committed', answer: true },
      { level: 'serializable', answer: false },
      { level: 'strict-serializable', answer: false },
      { level: 'cc', answer: 'unknown', reason: 'three transactions ended with an unknown outcome' },
    ],
    classes: { 'G2-item': { bug: 1 } },
    shapes: { 'write skew': 1 },
    names: { 'write skew': { bug: 1 } },
    inForce: { serializable: 4321 },
  },
];

export function report(changes: Partial<Report> = {}): Report {
  return {
    tool: 'anomalist 0.1.0',
    runId: '2026-01-02-a1',
    seed: '424242',
    command:
      'anomalist run --target postgres@18 --level read-committed --level repeatable-read --level serializable --seed 424242 --duration 60s',
    startedAt: '2026-01-02T03:04:05Z',
    seconds: 61.24,
    mode: 'schedule',
    instrument: 'exact',
    levels: LEVELS_RUN,
    findings: [LOST_UPDATE, WRITE_SKEW],
    notes: [{ code: 'round-cut', round: 5, level: 'repeatable-read', data: { reason: 'the time was up' } }],
    ...changes,
  };
}

/** A sink that keeps what was written. */
export function files(): { readonly sink: Sink; readonly text: (name: string) => string; readonly names: () => readonly string[] } {
  const written = new Map<string, string>();
  return {
    sink: { write: (name, text) => void written.set(name, text) },
    text: (name) => written.get(name) ?? `no file ${name} was written`,
    names: () => [...written.keys()],
  };
}

/** Every name and text that comes from a database or a user, replaced by something hostile. */
export function hostile(evil: string): Report {
  const spoil = (finding: AnomalyFinding): AnomalyFinding => ({
    ...finding,
    id: evil,
    target: evil,
    anomaly: {
      ...finding.anomaly,
      fingerprint: evil,
      explanation: evil,
      cycle: finding.anomaly.cycle.map((step) => ({ ...step, table: evil, row: evil, explanation: evil })),
    },
    judgement: {
      verdict: 'bug',
      row: { level: 'serializable', classes: [], verdict: 'bug', says: evil, source: evil, date: evil, version: evil, holds: evil },
    },
    statements: finding.statements.map((sent) => ({
      ...sent,
      sql: evil,
      error: evil,
      result: [[evil, null]],
      versions: [{ role: 'read', table: evil, rid: evil, list: evil }],
    })),
    setup: [evil],
    replay: evil,
  });
  const record = { [evil]: 1 };
  const texts = { [evil]: evil };
  return {
    ...report(),
    tool: evil,
    runId: evil,
    seed: evil,
    command: evil,
    startedAt: evil,
    instrument: evil,
    levels: LEVELS_RUN.map((level) => ({
      ...level,
      target: evil,
      server: evil,
      make: { words: evil, number: evil, platform: evil, packaging: evil },
      configuration: texts,
      inForce: record,
      inconclusive: evil,
      coverage: { ...level.coverage, errors: record, reads: record, conflicts: record },
      names: { [evil]: { bug: 1 } },
      answers: [{ level: 'cc', answer: 'unknown', reason: evil }],
    })),
    findings: [spoil(LOST_UPDATE), spoil(WRITE_SKEW)],
    notes: [
      { code: 'text', data: { text: evil } },
      { code: 'not-replayed', run: evil, data: { finding: evil, anomaly: evil, failure: evil } },
    ],
  };
}

const STEP = { autocommit: false, blocked: false, rows: null, result: null, columns: [], error: null, added: false };
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ; SHOW transaction_isolation';
const LEVEL = { server: 'PostgreSQL 18.4', rate: { tries: 2, seen: 0 }, own: false } as const;

/** The lost update, ruled out and replayed: two sessions, the second waits for the first one's COMMIT. */
export const REPRODUCED: AnomalyFinding = {
  ...LOST_UPDATE,
  level: 'repeatable-read',
  judgement: {
    verdict: 'bug',
    row: {
      ...LOST_UPDATE.judgement.row!,
      level: 'repeatable-read',
      verdict: 'bug',
      says: 'a transaction that would overwrite a row changed since its snapshot is rolled back.',
    },
  },
  reproduction: {
    testCase: { seed: '1', schema: { tables: [] }, sessions: [], schedule: [] },
    scope: 'reduced',
    rate: { tries: 10, seen: 10 },
    anomaly: LOST_UPDATE.anomaly,
    judgement: LOST_UPDATE.judgement,
    transactions: LOST_UPDATE.transactions,
    statements: LOST_UPDATE.statements,
    setup: LOST_UPDATE.setup,
    plain: {
      setup: ['CREATE SCHEMA anomaly', 'create table t1 (c1 integer primary key, c2 integer)', 'insert into t1 (c1, c2) values (1, 100)'],
      steps: [
        { ...STEP, session: 0, txn: 1, kind: 'begin', sql: BEGIN, repliedAfter: 0 },
        {
          ...STEP,
          session: 0,
          txn: 1,
          kind: 'select',
          sql: 'SELECT c2 FROM t1 WHERE c1 = 1',
          repliedAfter: 1,
          rows: 1,
          result: [['100']],
          columns: ['c2'],
        },
        { ...STEP, session: 1, txn: 2, kind: 'begin', sql: BEGIN, repliedAfter: 2 },
        {
          ...STEP,
          session: 1,
          txn: 2,
          kind: 'select',
          sql: 'SELECT c2 FROM t1 WHERE c1 = 1',
          repliedAfter: 3,
          rows: 1,
          result: [['100']],
          columns: ['c2'],
        },
        { ...STEP, session: 0, txn: 1, kind: 'update', sql: 'UPDATE t1 SET c2 = 120 WHERE c1 = 1', repliedAfter: 4, rows: 1 },
        {
          ...STEP,
          session: 1,
          txn: 2,
          kind: 'update',
          sql: 'UPDATE t1 SET c2 = 130 WHERE c1 = 1',
          repliedAfter: 6,
          rows: 1,
          blocked: true,
        },
        { ...STEP, session: 0, txn: 1, kind: 'commit', sql: 'COMMIT', repliedAfter: 6 },
        { ...STEP, session: 1, txn: 2, kind: 'commit', sql: 'COMMIT', repliedAfter: 7 },
      ],
      finalState: [{ table: 't1', columns: ['c1', 'c2'], rows: [['1', '130']] }],
      rate: { tries: 10, seen: 10 },
      proof: 'results',
      serialOrders: [
        { order: [1, 2], sentence: "T1 before T2: T2's SELECT would return (130); observed (100).", explains: false },
        { order: [2, 1], sentence: "T2 before T1: T1's SELECT would return (120); observed (100).", explains: false },
      ],
      explanation: 'No serial order of the transactions gives what was observed.',
    },
    controls: [
      { ...LEVEL, target: 'postgres@18', level: 'repeatable-read', outcome: 'occurs', rate: { tries: 2, seen: 2 }, own: true },
      { ...LEVEL, target: 'postgres@18', level: 'serializable', outcome: 'prevented by error 40001' },
      { ...LEVEL, target: 'mariadb@11.8', level: 'repeatable-read', outcome: 'not seen' },
    ],
  },
};
