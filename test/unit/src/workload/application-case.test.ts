// Cases of applications: the same bytes for a seed, objects that are there, values that repeat and are never 0.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../../../../core/base/index.ts';
import { LAST_READ, bindLastRead } from '../../../../core/sql/index.ts';
import type { TestCase, TxnPlan } from '../../../../core/program/index.ts';
import type { ObjectOperation } from '../../../../core/history/index.ts';
import { generateKeyValue, objectOperation } from '../../../../schema-gen/index.ts';

const KINDS = ['twitter-kv', 'rubis-kv', 'tpcc-kv'] as const;
const GOLDEN: Readonly<Record<(typeof KINDS)[number], string>> = {
  'twitter-kv': '1a2543de0265cd46980504059af973523a1800a77522e69a97ba2c450be47fa2',
  'rubis-kv': '1dc4bcb5636b98d2c00dbeaba5d587372ee60dca3f32d34ffed99894848b0909',
  'tpcc-kv': '7f702fcbc14b14ca4f2d24ed3882d6edcb416460c9330c56ce07fcc4280998c6',
};

const plans = ({ sessions }: TestCase): readonly TxnPlan[] => sessions.flatMap(({ transactions }) => transactions);

/** As a session that ran alone would send them. */
function operations(testCase: TestCase): readonly (readonly ObjectOperation[])[] {
  const values = new Map<number, number>();
  return plans(testCase).map(({ statements }) => {
    let last: number | null = null;
    return statements.map((statement) => {
      const operation = objectOperation(bindLastRead(statement, last))!;
      if (operation.do === 'read') last = values.get(operation.key!) ?? 0;
      if (operation.do === 'write') values.set(operation.key, operation.value);
      return operation;
    });
  });
}

describe.each(KINDS)('cases of %s', (kind) => {
  it('are the same bytes for the same seed, on every machine', () => {
    const json = JSON.stringify(generateKeyValue('7/0', { kind }));
    expect(JSON.stringify(generateKeyValue('7/1', { kind }))).not.toBe(json);
    expect(createHash('sha256').update(json).digest('hex')).toBe(GOLDEN[kind]);
  });

  it.each(DISTRIBUTIONS)(
    'name objects that are there, by %s, each at most once to read and once to write it, in this order',
    (distribution) => {
      for (const objects of [1, 30, 200]) {
        const testCase = generateKeyValue('keys', { kind, distribution, objects, sessions: 3, transactions: 60 });
        const rows = testCase.schema.tables[0]!.rows.length;
        expect(rows).toBeGreaterThan(objects / 2);
        expect(rows).toBeLessThanOrEqual(Math.max(objects, 60));
        const odd = operations(testCase).filter((txn) => {
          const words = txn.map(({ do: what, key }) => `${what} ${key}`);
          const strange = txn.some(
            ({ do: what, key = -1 }, i) => key < 0 || key >= rows || (what === 'read' && words.slice(0, i).includes(`write ${key}`)),
          );
          return strange || words.length === 0 || new Set(words).size < words.length;
        });
        expect(odd).toEqual([]);
      }
    },
  );

  it('write what a session computes of what it has read last, never 0, and the same values again', () => {
    const testCase = generateKeyValue('values', { kind, objects: 60, sessions: 4, transactions: 200 });
    expect(testCase.binds).toBe(true);
    expect(JSON.stringify(testCase)).toContain(LAST_READ);
    const written = operations(testCase).flatMap((txn) => txn.flatMap((each) => (each.do === 'write' ? [each] : [])));
    expect(written.filter(({ value }) => value < 1)).toEqual([]);
    const different = new Set(written.map(({ key, value }) => `${key} ${value}`));
    expect(different.size).toBeLessThan(written.length * 0.8);
    expect(different.size).toBeGreaterThan(60);
  });
});

it('a value that moves grows, and begins at 1 again behind its last', () => {
  const moves = plans(generateKeyValue('tweets', { kind: 'twitter-kv', sessions: 1, transactions: 20 }))
    .flatMap(({ statements }) => statements)
    .filter((statement) => JSON.stringify(statement).includes(`"value":20}`));
  const written = [null, 0, 1, 19, 20].map((last) => objectOperation(bindLastRead(moves[0]!, last)));
  expect(written.map((operation) => operation?.do === 'write' && operation.value)).toEqual([1, 1, 2, 20, 1]);
});
