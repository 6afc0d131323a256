/** What a session sends of a transaction that reads values into names, on a connection that answers by a script. */
import { describe, expect, test } from 'vitest';
import type { Expression, Query, Stop } from '../../../../core/sql/index.ts';
import type { ProbedTxn, TxnPlan } from '../../../../core/program/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { literal, queryOf, schemaOf, statementOf } from '../../../sql.ts';
import { played, scripted } from './scripted-connection.ts';

const SCHEMA = schemaOf('CREATE TABLE t (k int PRIMARY KEY, v int)');
const v: Expression = { kind: 'parameter', name: 'v', type: 'integer' };
const below = (n: number, end: Stop['end']): Stop => ({ when: { kind: 'compare', op: '<', left: v, right: literal(n) }, end });

const reading: Query = {
  ...queryOf(SCHEMA, 'SELECT v FROM t WHERE k = 1'),
  into: ['v'],
  stops: [below(1, 'rollback'), below(3, 'commit')],
};
const writing = statementOf(SCHEMA, 'UPDATE t SET v = :v - 1 WHERE k = 1', { v: 'integer' });

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

describe('a transaction that is tried again', () => {
  const attempts = [{}, { retryOf: 1 }, { retryOf: 2 }, {}].map((more, n): TxnPlan => ({
    id: n + 1,
    statements: [reading, writing],
    end: 'commit',
    autocommit: false,
    ...more,
  }));
  const { sessions } = instrument(
    { seed: 's', schema: SCHEMA, sessions: [{ transactions: attempts }] },
    { mode: 'none', capabilities: postgres.capabilities },
  );

  /** The UPDATEs fail so in turn, each SELECT finds one less than the one before: what was sent, and which transactions. */
  async function tried(...codes: readonly (string | undefined)[]): Promise<readonly [string, readonly number[]]> {
    const left = [...codes];
    let value = 9;
    const script = scripted(postgres, (sql) => {
      if (sql.startsWith('SELECT')) return { columns: ['v'], rows: [[String(value--)]], affected: 1 };
      const code = sql.startsWith('UPDATE') ? left.shift() : undefined;
      return code === undefined ? undefined : Object.assign(new Error('refused'), { code, severity: 'ERROR' });
    });
    const { events } = await played(script, sessions[0]!.transactions);
    const begun = events.flatMap((event) => (event.e === 'invoke' && event.k === 'begin' ? [event.t] : []));
    return [script.sent.map((sql) => /"?v"? = \((.*?)\)/.exec(sql)?.[1] ?? sql.split(' ', 1)[0]!).join(' '), begun];
  }

  test('reads anew, each time as a transaction of its own, until it is through', async () => {
    expect(await tried('40001')).toEqual(['BEGIN SELECT 9 - 1 ROLLBACK BEGIN SELECT 8 - 1 COMMIT BEGIN SELECT 7 - 1 COMMIT', [1, 2, 4]]);
    expect((await tried('40001', '40P01', '40001'))[1]).toEqual([1, 2, 3, 4]);
  });

  test('is not tried again where it went through, nor after an error of its own', async () => {
    expect((await tried())[1]).toEqual([1, 4]);
    expect((await tried('23505'))[1]).toEqual([1, 4]);
  });
});
