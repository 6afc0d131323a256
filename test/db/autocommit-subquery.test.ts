/**
 * What random cases leave out on the MySQL family (lack `autocommit subquery locks`), made by hand: at SERIALIZABLE an
 * autocommit SELECT ... FOR UPDATE locks its own rows and reads those of its subquery from a snapshot, as the manual says.
 * Half of a transaction is seen, which is documented; within BEGIN and COMMIT the same statement locks both.
 */
import { expect, it } from 'vitest';
import { judge } from '../../check/index.ts';
import { errorText } from '../../core/history/index.ts';
import type { Expression, Statement } from '../../core/sql/index.ts';
import type { TxnPlan } from '../../core/program/index.ts';
import { judgedConfiguration } from '../../src/judge/assess/configuration.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { describeFamily } from './mysql-family.ts';
import { auto, column, probed, txn, write } from './run-case.ts';
import { sharedServer } from './suite-server.ts';

/** Of each row of t the row of u with its key. When row 2 is free the snapshot is open: row 1 came before it. */
const partner: Expression = {
  kind: 'subquery',
  query: {
    kind: 'select',
    items: [{ expression: { kind: 'aggregate', name: 'min', operand: column('u', 'v') }, alias: 'v' }],
    from: { kind: 'table', table: 'u', alias: 'u' },
    where: { kind: 'compare', op: '=', left: column('u', 'k'), right: column('t', 'k') },
  },
};
const LOCKING: Statement = {
  kind: 'select',
  items: [{ expression: column('t', 'v'), alias: 'v' }],
  from: { kind: 'table', table: 't', alias: 't' },
  where: { kind: 'compare', op: '>=', left: column('t', 'v'), right: partner },
  lock: { strength: 'update' },
};
/** The reader comes while it has its locks. */
const BOTH = txn(1, write('t', 2, 21), write('u', 2, 21));

describeFamily('an autocommit SELECT ... FOR UPDATE over a subquery', ({ dialect, start, target }) => {
  const suite = sharedServer({ target, dialect, start });
  const level = dialect.levels.find((row) => row.level === 'serializable')!;

  async function play(
    reader: TxnPlan,
  ): Promise<{ readonly refuses: boolean; readonly errors: readonly string[]; readonly verdicts: readonly string[] }> {
    const schedule = reader.autocommit ? [0, 0, 0, 1, 0] : [0, 0, 0, 1, 1, 1, 0];
    const outcome = await runRound({
      round: 0,
      probedCase: probed([[BOTH], [reader]], {
        mode: 'exact',
        capabilities: dialect.capabilities,
        schedule,
        images: true,
        level: 'serializable',
      }),
      dialect,
      level,
      urls: [suite.server.url],
      mode: 'schedule',
      namespace: 'autocommit_subquery',
      recorder: new Recorder(undefined, { tool: 'test', seed: 's' }),
    });
    expect(outcome.reason).toBeUndefined();
    const { anomalies } = assessHistory(outcome.history).verdict;
    return {
      refuses: outcome.configuration['innodb_snapshot_isolation'] === 'ON',
      errors: outcome.history.statements.error.flatMap((error) => (error === undefined ? [] : [errorText(error)])),
      verdicts: anomalies.map(
        (anomaly) =>
          `${anomaly.class} ${judge(anomaly, 'serializable', judgedConfiguration(outcome, anomaly), dialect.promises, dialect).verdict}`,
      ),
    };
  }

  it('sees half of a transaction, as documented, or is refused by innodb_snapshot_isolation', async () => {
    const { refuses, errors, verdicts } = await play(auto(2, LOCKING));
    expect(verdicts).toEqual(refuses ? [] : ['G-single-item documented']);
    expect(errors).toEqual(refuses ? [expect.stringContaining('1020')] : []);
  });

  it('sees all of it, or is refused, within a transaction', async () => {
    const { refuses, errors, verdicts } = await play(txn(2, LOCKING));
    expect([verdicts, errors.length > 0]).toEqual([[], refuses]);
  });
});
