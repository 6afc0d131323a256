import { expect, test } from 'vitest';
import { checkGraph, judge } from '../../../check/index.ts';
import type { PromiseRow, Shape } from '../../../core/level/index.ts';
import type { Anomaly } from '../../../core/verdict/index.ts';
import { DIALECTS, mariadb, mysql, postgres } from '../../../dialects/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { historyFromText, rowIdsOf } from '../history-text.ts';

const source = { says: 'so', source: 'a document', date: '2026-01-01', version: '1' };
const SINGLE = ['G-single-item'] as const;

/** A promise for a level whose plain reads have a snapshot and whose writes and locking reads do not. */
const MIXED: readonly PromiseRow[] = [
  { level: 'repeatable-read', classes: SINGLE, when: 'snapshot reads only', verdict: 'bug', ...source },
  { level: 'repeatable-read', classes: SINGLE, when: 'a current read or write', verdict: 'documented', ...source },
  { level: 'repeatable-read', classes: ['G2-item'], verdict: 'documented', ...source },
];

function anomaly(text: string, shape: Shape): Anomaly {
  const found = checkGraph(inferDependencies(historyFromText(text))).anomalies.find((a) => a.shapes.includes(shape));
  if (found === undefined) throw new Error(`no ${shape}`);
  return found;
}

const verdict = (text: string, shape: Shape, rows = MIXED, configuration = {}): string =>
  judge(anomaly(text, shape), 'repeatable-read', configuration, rows).verdict;

test('plain reads that do not form a snapshot are a bug where snapshots are promised', () => {
  expect(verdict('t1: r x ,0.0; r y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit', 'read skew')).toBe('bug');
});

test('the same cycle through a locking read is documented', () => {
  expect(verdict('t1: r x ,0.0; ru y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit', 'read skew')).toBe('documented');
});

test('a plain read after a write of its own transaction is not held against the snapshot', () => {
  expect(verdict('t1: w z ,0.0,1.1; r x ,0.0; r y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit', 'read skew')).toBe(
    'documented',
  );
});

test('a lost update enters by a write', () => {
  expect(verdict('t1: r x ,0.0; w x ,0.0,2.1,1.1; commit\nt2: w x ,0.0,2.1; commit', 'lost update')).toBe('documented');
});

test('a fractured read over writes of others is still a matter of the snapshot', () => {
  const text = 't1: r y ,0.0; r x ,0.0,2.1; commit\nt2: w x ,0.0,2.1; w y ,0.0,3.1,2.2; commit\nt3: w y ,0.0,3.1; commit';
  expect(verdict(text, 'fractured read')).toBe('bug');
});

test('write skew is what the row of its class says', () => {
  expect(verdict('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit', 'write skew')).toBe('documented');
});

test('where no row speaks of it, the documents are silent', () => {
  const skew = anomaly('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit', 'write skew');
  expect(judge(skew, 'serializable', {}, MIXED)).toEqual({ verdict: 'undocumented' });
  expect(judge(skew, 'repeatable-read', {}, [])).toEqual({ verdict: 'undocumented' });
});

test('a row that names the shape or the setting is stronger than one of the class alone', () => {
  const lost = 't1: r x ,0.0; w x ,0.0,2.1,1.1; commit\nt2: w x ,0.0,2.1; commit';
  const general: PromiseRow = { level: 'repeatable-read', classes: SINGLE, verdict: 'bug', ...source };
  const shaped: PromiseRow = { ...general, shapes: ['lost update'], verdict: 'documented' };
  const off: PromiseRow = { ...general, configuration: { snapshot: 'OFF' }, verdict: 'documented' };
  for (const rows of [
    [general, shaped],
    [shaped, general],
  ])
    expect(verdict(lost, 'lost update', rows)).toBe('documented');
  expect(verdict(lost, 'lost update', [general, off], { snapshot: 'OFF' })).toBe('documented');
  expect(verdict(lost, 'lost update', [general, off], { snapshot: 'ON' })).toBe('bug');
  expect(verdict(lost, 'lost update', [{ ...general, verdict: 'documented' }, general])).toBe('bug');
});

test('of a dialect that was never run live, nothing is called a bug, whatever its row says', () => {
  const skew = anomaly('t1: r x ,0.0; r y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit', 'read skew');
  const live = judge(skew, 'repeatable-read', {}, MIXED, { ranLive: true });
  expect(live.verdict).toBe('bug');
  expect(judge(skew, 'repeatable-read', {}, MIXED, { ranLive: false })).toEqual({ ...live, verdict: 'undocumented' });
  const write = anomaly('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit', 'write skew');
  expect(judge(write, 'repeatable-read', {}, MIXED, { ranLive: false }).verdict).toBe('documented');
});

/** Its locking SELECTs have a query in them. */
function nested(text: string, shape: Shape): Anomaly {
  const history = historyFromText(text);
  for (const [s, kind] of history.statements.kind.entries()) if (kind === 'select for update') history.statements.nested[s] = 1;
  return checkGraph(inferDependencies(history)).anomalies.find((each) => each.shapes.includes(shape))!;
}

/** Its first SELECT locks row x alone, by a clause within it; `known`: does the history say so? */
function lockedWithin(text: string, shape: Shape, known = true): Anomaly {
  const history = historyFromText(text);
  const x = history.rows.rid.indexOf(rowIdsOf(text).get('x') ?? '');
  (history.rows.table as string[])[x] = 'locked';
  for (const [s, tables] of history.statements.tables.entries())
    if (tables !== undefined) (history.statements.tables as (readonly string[])[])[s] = ['t', 'locked'];
  const reader = history.statements.kind.indexOf('select');
  (history.statements.locks as (readonly string[] | undefined)[])[reader] = known ? ['locked'] : undefined;
  history.statements.nested[reader] = known ? 1 : 0;
  return checkGraph(inferDependencies(history)).anomalies.find((each) => each.shapes.includes(shape))!;
}

test('PostgreSQL: what a clause within a SELECT locks is the newest row, what is beside it a snapshot', () => {
  const one = 't1: r x ,0.0,2.1 y ,0.0; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  const judged = (found: Anomaly): string => judge(found, 'read-committed', {}, postgres.promises).verdict;
  expect(judged(anomaly(one, 'read skew'))).toBe('bug');
  const found = lockedWithin(one, 'read skew');
  expect(Object.fromEntries(found.cycle.map(({ rel, readPoint, inner }) => [rel, [readPoint, inner]]))).toEqual({
    rw: ['snapshot', 'transaction'],
    wr: ['current', 'transaction'],
  });
  expect(judged(found)).toBe('documented');
  // Two rows that no lock reaches are of one snapshot all the same.
  expect(judged(lockedWithin('t1: r x ,0.0 y ,0.0 z ,0.0,2.2; commit\nt2: w y ,0.0,2.1; w z ,0.0,2.2; commit', 'read skew'))).toBe('bug');
});

test('nothing is called a bug because an older history does not say what a SELECT locks', () => {
  const one = 't1: r x ,0.0,2.1 y ,0.0; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  const found = lockedWithin(one, 'read skew', false);
  expect(found.cycle.map(({ readPoint }) => readPoint)).toEqual([undefined, undefined]);
  expect(judge(found, 'read-committed', {}, postgres.promises).verdict).toBe('documented');
  for (const promises of INNODB) expect(judge(found, 'repeatable-read', {}, promises).verdict).toBe('documented');
  const older = historyFromText('t1: ru x ,0.0; ru y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit');
  (older.statements.locks as (readonly string[] | undefined)[]).fill(undefined);
  const locking = checkGraph(inferDependencies(older)).anomalies.find((each) => each.shapes.includes('read skew'))!;
  for (const promises of INNODB) expect(judge(locking, 'repeatable-read', {}, promises).verdict).toBe('documented');
});

test('a plain SELECT after one with a clause within it is not held against the snapshot', () => {
  const text = 't1: r x ,0.0; r y ,0.0; r z ,0.0,2.2; commit\nt2: w y ,0.0,2.1; w z ,0.0,2.2; commit';
  for (const promises of INNODB) {
    expect(judge(anomaly(text, 'read skew'), 'repeatable-read', {}, promises).verdict).toBe('bug');
    expect(judge(lockedWithin(text, 'read skew'), 'repeatable-read', {}, promises).verdict).toBe('documented');
  }
});

const INNODB = [mysql.promises, mariadb.promises];

test('InnoDB: the subqueries of an autocommit SELECT ... FOR lock nothing even at SERIALIZABLE, and the manual says so', () => {
  const alone = 't1: auto; ru x ,0.0 y ,0.0,2.2\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  const within = 't1: ru x ,0.0 y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  for (const promises of INNODB) {
    expect(judge(nested(alone, 'read skew'), 'serializable', {}, promises).verdict).toBe('documented');
    expect(judge(nested(alone, 'read skew'), 'serializable', { wsrep_on: 'ON', endpoints: 'one' }, promises).verdict).toBe('documented');
    expect(judge(anomaly(alone, 'read skew'), 'serializable', {}, promises).verdict).toBe('bug');
    expect(judge(nested(within, 'read skew'), 'serializable', {}, promises).verdict).toBe('bug');
    expect(
      judge(anomaly('t1: auto; r x ,0.0 y ,0.0,2.2\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit', 'read skew'), 'serializable', {}, promises)
        .verdict,
    ).toBe('bug');
  }
});

test('InnoDB at REPEATABLE READ: among statements that lock all that they read nothing is allowed, but across the nodes of a cluster', () => {
  const locking = 't1: ru x ,0.0; ru y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  const mixed = 't1: r x ,0.0; ru y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit';
  for (const promises of INNODB) {
    expect(judge(anomaly(locking, 'read skew'), 'repeatable-read', {}, promises).verdict).toBe('bug');
    expect(judge(nested(locking, 'read skew'), 'repeatable-read', {}, promises).verdict).toBe('documented');
    expect(judge(anomaly(mixed, 'read skew'), 'repeatable-read', {}, promises).verdict).toBe('documented');
    expect(judge(anomaly(locking, 'read skew'), 'read-committed', {}, promises).verdict).toBe('documented');
  }
  expect(judge(anomaly(locking, 'read skew'), 'repeatable-read', { wsrep_on: 'ON' }, mariadb.promises).verdict).toBe('documented');
});

/** Two UPDATEs of one row from one value, as a lost pair of the lwt workload is; `compareAndSet`: marked as such. */
function lostPair(compareAndSet: boolean): Anomaly {
  const row = { row: '0', table: 'kv', fromStatement: 1, toStatement: 0 };
  return {
    class: 'G-single-item',
    shapes: ['lost update'],
    levels: [],
    transactions: [1, 2],
    statements: [0, 1],
    explanation: '',
    fingerprint: '',
    cycle: [
      { from: 2, to: 1, rel: 'rw', ...row, readPoint: 'current', ...(compareAndSet && { compareAndSet: true }), explanation: '' },
      { from: 1, to: 2, rel: 'ww', ...row, fromStatement: 0, toStatement: 1, explanation: '' },
    ],
  };
}

test.each(
  DIALECTS.flatMap((dialect) =>
    dialect.levels.filter(({ aliasOf }) => aliasOf === undefined).map(({ level }) => [dialect.name, level, dialect] as const),
  ),
)(
  'on %s at %s two compare-and-sets that both succeed from one value are a bug, whatever the level allows otherwise',
  (_, level, dialect) => {
    const live = { ranLive: true };
    expect(judge(lostPair(true), level, {}, dialect.promises, live).verdict).toBe('bug');
    expect(judge(lostPair(true), level, {}, dialect.promises, live).row).toMatchObject({
      source: expect.stringMatching(/^https:/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  },
);

test('a relational UPDATE keeps its verdict: a subquery in it reads by a snapshot', () => {
  const verdicts = DIALECTS.map(
    ({ name, levels, promises }) =>
      `${name} ${levels
        .filter(({ aliasOf }) => aliasOf === undefined)
        .map(({ level }) => judge(lostPair(false), level, {}, promises).verdict)
        .join(' ')}`,
  );
  expect(verdicts.sort()).toMatchInlineSnapshot(`
    [
      "cockroachdb documented bug bug",
      "mariadb documented documented bug bug",
      "mysql documented documented bug bug",
      "postgres documented bug bug",
      "tidb documented documented",
    ]
  `);
});

test('between the nodes of a cluster a lost compare-and-set is a known limitation, on one node it is not', () => {
  for (const level of ['read-uncommitted', 'read-committed', 'repeatable-read'] as const) {
    for (const snapshots of ['ON', 'OFF']) {
      const cluster = { wsrep_on: 'ON', innodb_snapshot_isolation: snapshots };
      expect(judge(lostPair(true), level, cluster, mariadb.promises).verdict).toBe('documented');
      expect(judge(lostPair(true), level, { ...cluster, endpoints: 'one' }, mariadb.promises).verdict).toBe('bug');
    }
  }
});
