// Key-value cases: the same bytes for a seed, every value written once, the mix and the shapes that each workload promises.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../../../../core/base/index.ts';
import type { TestCase, TxnPlan } from '../../../../core/program/index.ts';
import type { ObjectOperation } from '../../../../core/history/index.ts';
import { generateKeyValue, objectOperation } from '../../../../schema-gen/index.ts';
import type { KeyValueKind } from '../../../../schema-gen/index.ts';
import { spreadOver } from '../../../../src/workload/read-only-sessions.ts';

/** lwt.test.ts and application-case.test.ts have the others. */
type Planned = Extract<KeyValueKind, 'mini' | 'general' | 'append'>;
const KINDS: readonly Planned[] = ['mini', 'general', 'append'];
const GOLDEN: Readonly<Record<Planned, string>> = {
  mini: '0b68092697340f480697d1068cbb65f5a9b12fc1c2cee5ac3050e42fa158a0fe',
  general: '9e09fc2b8dbd58e03c41259be7dc80d5e58e8437c5bfe0c348559d638f1324a3',
  append: '9ab3d8e5597da569808c7392961436c6ac10bcefb0a9210e1640c52befd9df91',
};

const plans = ({ sessions }: TestCase): readonly TxnPlan[] => sessions.flatMap(({ transactions }) => transactions);
const operations = ({ statements }: TxnPlan): readonly ObjectOperation[] => statements.map((statement) => objectOperation(statement)!);
const share = (all: readonly TxnPlan[], of: (ops: readonly ObjectOperation[]) => boolean): number =>
  all.filter((plan) => of(operations(plan))).length / all.length;

describe.each(KINDS)('cases of %s', (kind) => {
  it('are the same bytes for the same seed, on every machine', () => {
    const json = JSON.stringify(generateKeyValue('7/0', { kind }));
    expect(JSON.stringify(generateKeyValue('7/0', { kind }))).toBe(json);
    expect(JSON.stringify(generateKeyValue('7/1', { kind }))).not.toBe(json);
    expect(createHash('sha256').update(json).digest('hex')).toBe(GOLDEN[kind]);
  });

  it('have transaction ids from 1, and a schedule of all their steps where one is asked for', () => {
    const testCase = generateKeyValue('s', { kind, mode: 'schedule' });
    expect(plans(testCase).map(({ id }) => id)).toEqual(plans(testCase).map((_, i) => i + 1));
    expect(testCase.schedule).toHaveLength(plans(testCase).reduce((steps, { statements }) => steps + statements.length + 2, 0));
    expect(generateKeyValue('s', { kind }).schedule).toBeUndefined();
  });

  it.each(DISTRIBUTIONS)(
    'name objects that are there, by %s, and no object twice for one purpose, but lists that a transaction is about alone',
    (distribution) => {
      for (const objects of [1, 2, 30]) {
        const testCase = generateKeyValue('keys', { kind, distribution, objects, sessions: 3, transactions: 40 });
        for (const plan of plans(testCase)) {
          const ops = operations(plan);
          expect(ops.every(({ key = -1 }) => key >= 0 && key < objects)).toBe(true);
          for (const write of [false, true]) {
            const keys = ops.filter((op) => (op.do !== 'read') === write).map(({ key }) => key);
            if (kind !== 'append' || new Set(ops.map(({ key }) => key)).size > 1) expect(new Set(keys).size).toBe(keys.length);
          }
          expect(ops.length).toBeGreaterThan(0);
        }
      }
    },
  );

  it('write every value once', () => {
    const testCase = generateKeyValue('values', { kind, sessions: 4, transactions: 60 });
    const written = plans(testCase).flatMap(({ id, statements }) => {
      let seq = 0;
      return statements.flatMap((statement) => {
        const operation = objectOperation(statement)!;
        return operation.do === 'read' ? [] : [operation.do === 'write' ? operation.value : `${id}.${++seq}`];
      });
    });
    expect(new Set(written).size).toBe(written.length);
    expect(written).not.toContain(0);
    const elements = JSON.stringify(testCase).match(/",\d+\.\d+"/g) ?? [];
    if (kind === 'append') expect(new Set(elements).size).toBe(written.length + 1); // and the initial list
  });
});

describe.each(['mini', 'general'] as const)('late objects of %s', (kind) => {
  it('are looked for and inserted in each of three ways, at about the same time by all sessions', () => {
    const options = { kind, sessions: 4, transactions: 100, objects: 10 };
    const testCase = generateKeyValue('late', { ...options, late: 40 });
    const ofLate = (plan: TxnPlan): boolean => operations(plan).some(({ key = -1 }) => key >= 10);
    const late = plans(testCase).filter(ofLate);
    expect(share(plans(testCase), (ops) => ops.some(({ key = -1 }) => key >= 10))).toBeCloseTo(0.4, 1);
    for (const plan of late) {
      const ops = operations(plan);
      expect(ops.every(({ key = -1 }) => key >= 10)).toBe(true);
      const [written] = ops.filter((op) => op.do === 'write');
      if (kind === 'mini' && written !== undefined) expect(ops.some((op) => op.do === 'read' && op.key === written.key)).toBe(true);
    }
    const inserts = late.flatMap(({ statements }) => statements.flatMap((each) => (each.kind === 'insert' ? [each] : [])));
    expect(new Set(inserts.map(({ conflict }) => conflict?.action))).toEqual(new Set([undefined, 'nothing', 'update']));
    for (const each of inserts)
      expect(objectOperation(each)).toMatchObject(each.conflict?.action === 'update' ? { do: 'write' } : { do: 'write', ifAbsent: true });
    const sessionsOf = new Map<number, Set<number>>();
    testCase.sessions.forEach(({ transactions }, s) =>
      transactions.filter(ofLate).forEach((plan) => {
        for (const { key = -1 } of operations(plan)) sessionsOf.set(key, (sessionsOf.get(key) ?? new Set()).add(s));
      }),
    );
    const met = [...sessionsOf.values()].filter((all) => all.size > 1).length;
    expect(met / sessionsOf.size).toBeGreaterThan(0.7);
    const values = plans(testCase).flatMap((plan) => operations(plan).flatMap((op) => (op.do === 'write' ? [op.value] : [])));
    expect(new Set(values).size).toBe(values.length);
  });
});

describe('the tree of a statement says', () => {
  it('its object and its value, and so does what a session without writes reads instead', () => {
    const done = new Set<string>();
    for (const kind of KINDS) {
      const testCase = generateKeyValue('spelt', { kind, sessions: 2, transactions: 40 });
      const readers = spreadOver(testCase, [{ readOnly: false }, { readOnly: true }]);
      for (const { statements } of plans(testCase))
        for (const statement of statements) {
          const operation = objectOperation(statement)!;
          done.add(`${statement.kind} ${operation.do}`);
          expect(JSON.stringify(statement)).toContain(`"value":${operation.key}`);
          if (operation.do === 'write') expect(JSON.stringify(statement)).toContain(`"value":${operation.value}}`);
        }
      for (const { statements } of readers.sessions[1]!.transactions)
        for (const statement of statements) expect(objectOperation(statement)?.do).toBe('read');
    }
    expect([...done].sort()).toEqual(['insert append', 'select read', 'update append', 'update write']);
    expect(objectOperation({ kind: 'savepoint', name: 's' })).toBeUndefined();
    expect(objectOperation({ kind: 'delete', table: 'kv' })).toBeUndefined();
  });
});

describe('the mix of transactions', () => {
  it('mini: one or two reads, at most two writes, each after a read of its object', () => {
    const all = plans(generateKeyValue('mix', { kind: 'mini', sessions: 10, transactions: 200 }));
    for (const plan of all) {
      const ops = operations(plan);
      expect(ops.filter((op) => op.do === 'read').length).toBeGreaterThanOrEqual(1);
      expect(ops.filter((op) => op.do === 'read').length).toBeLessThanOrEqual(2);
      expect(ops.filter((op) => op.do !== 'read').length).toBeLessThanOrEqual(2);
      ops.forEach(
        (op, i) => op.do !== 'read' && expect(ops.slice(0, i).some((before) => before.do === 'read' && before.key === op.key)).toBe(true),
      );
    }
    expect(share(all, (ops) => ops.every((op) => op.do === 'read'))).toBeCloseTo(0.2, 1);
    expect(share(all, (ops) => ops.filter((op) => op.do !== 'read').length === 2)).toBeCloseTo(0.25, 1);
  });

  it('general: a fifth reads only, two fifths write only, two fifths write what they have read', () => {
    const all = plans(generateKeyValue('mix', { kind: 'general', sessions: 10, transactions: 200, operations: 6 }));
    expect(share(all, (ops) => ops.every((op) => op.do === 'read'))).toBeCloseTo(0.2, 1);
    expect(share(all, (ops) => ops.every((op) => op.do !== 'read'))).toBeCloseTo(0.4, 1);
    expect(all.every(({ statements }) => statements.length === 6)).toBe(true);
  });

  it('append: some read only, some append only, some do both', () => {
    const all = plans(generateKeyValue('mix', { kind: 'append', sessions: 10, transactions: 200 }));
    const both = share(all, (ops) => ops.some((op) => op.do !== 'read') && ops.some((op) => op.do === 'read'));
    expect(both).toBeGreaterThan(0.3);
    expect(share(all, (ops) => ops.every((op) => op.do === 'read'))).toBeGreaterThan(0.05);
    expect(share(all, (ops) => ops.every((op) => op.do !== 'read'))).toBeGreaterThan(0.05);
    const spelt = (ops: readonly ObjectOperation[]): string =>
      new Set(ops.map(({ key }) => key)).size === 1 ? ops.map((op) => (op.do !== 'read' ? 'a' : 'r')).join('') : '';
    for (const form of ['rar', 'aa', 'raar', 'rr'])
      expect(
        share(all, (ops) => spelt(ops) === form),
        form,
      ).toBeCloseTo(0.04, 1);
    expect(share(plans(generateKeyValue('mix', { kind: 'append', operations: 2 })), (ops) => spelt(ops).length > 2)).toBe(0);
  });
});
