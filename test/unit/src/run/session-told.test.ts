/** What a session sends of a transaction that reads values into names, on a connection that answers by a script. */
import { describe, expect, test } from 'vitest';
import type { Expression, ProbedTxn, Schema, Select, Statement, Stop, TxnPlan } from '../../../../core/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { played, scripted } from './scripted-connection.ts';

const SCHEMA: Schema = {
  tables: [
    {
      name: 't',
      columns: ['k', 'v'].map((name) => ({ name, type: { kind: 'integer' }, nullable: true })),
      primaryKey: ['k'],
      uniques: [],
      checks: [],
      foreignKeys: [],
      indexes: [],
      rows: [],
    },
  ],
};
const int = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
const v: Expression = { kind: 'parameter', name: 'v', type: 'integer' };
const ofKey: Expression = { kind: 'compare', op: '=', left: { kind: 'column', table: 't', column: 'k' }, right: int(1) };
const below = (n: number, end: Stop['end']): Stop => ({ when: { kind: 'compare', op: '<', left: v, right: int(n) }, end });

const reading: Select = {
  kind: 'select',
  items: [{ expression: { kind: 'column', table: 't', column: 'v' }, alias: 'v' }],
  from: { kind: 'table', table: 't', alias: 't' },
  where: ofKey,
  into: ['v'],
  stops: [below(1, 'rollback'), below(3, 'commit')],
};
const writing: Statement = {
  kind: 'update',
  table: 't',
  set: [{ column: 'v', value: { kind: 'arithmetic', op: '-', left: v, right: int(1) } }],
  where: ofKey,
};

const PLANS = [1, 2].map((id): TxnPlan => ({ id, statements: [reading, writing], end: 'commit', autocommit: false }));

function plan(mode: 'exact' | 'none'): readonly ProbedTxn[] {
  const probed = instrument(
    { seed: 's', schema: SCHEMA, sessions: [{ transactions: PLANS }] },
    { mode, capabilities: postgres.capabilities },
  );
  return probed.sessions[0]!.transactions;
}

/** Two transactions, whose SELECTs find these values; null: no row. */
async function sent(found: readonly (number | null)[], mode: 'exact' | 'none'): Promise<readonly string[]> {
  const left = [...found];
  const script = scripted(postgres, (sql) => {
    if (!sql.startsWith('SELECT')) return undefined;
    const value = left.shift() ?? null;
    const rows = value === null ? [] : [[String(value), ...(mode === 'exact' ? ['["t","r0.0_0",",0.0"]'] : [])]];
    return { columns: mode === 'exact' ? ['v', 'iso_reads'] : ['v'], rows, affected: rows.length };
  });
  await played(script, plan(mode));
  return script.sent.map((sql) => /"?v"? = \((.*?)\)/.exec(sql)?.[1] ?? sql.split(' ', 1)[0]!);
}

describe.each(['none', 'exact'] as const)('a session, with probes: %s', (mode) => {
  test('sends each statement with what its own transaction has read', async () => {
    const words = await sent([7, 4], mode);
    expect(words).toEqual(['BEGIN', 'SELECT', '7 - 1', 'COMMIT', 'BEGIN', 'SELECT', '4 - 1', 'COMMIT']);
  });

  test('ends a transaction by the first condition that is true, and goes on by none that is unknown', async () => {
    const words = await sent([0, 2], mode);
    expect(words).toEqual(['BEGIN', 'SELECT', 'ROLLBACK', 'BEGIN', 'SELECT', 'COMMIT']);
    expect(await sent([null, 3], mode)).toEqual([
      'BEGIN',
      'SELECT',
      'CAST(NULL AS integer',
      'COMMIT',
      'BEGIN',
      'SELECT',
      '3 - 1',
      'COMMIT',
    ]);
  });
});
