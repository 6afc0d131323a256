// A case planned for one level is not run at another where that decides what its probes prove.
import { expect, it } from 'vitest';
import { InternalError } from '../../../../core/base/index.ts';
import { evaluationsDiffer } from '../../../../core/dialect/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { Capabilities } from '../../../../core/dialect/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import { mysql } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { Recorder, runRound } from '../../../../src/execute/index.ts';
import { queryOf } from '../../../sql.ts';
import { ONE_TABLE } from './one-table.ts';

/** What it reads cannot come with its one row: it is collected beside it. */
const SUM = queryOf(ONE_TABLE, 'SELECT count(*) AS n FROM t HAVING count(*) > 0');
const CASE: TestCase = {
  seed: 's',
  schema: ONE_TABLE,
  sessions: [{ transactions: [{ id: 1, statements: [SUM], end: 'commit', autocommit: false }] }],
};

function run(capabilities: Capabilities, at: Level, plannedFor?: Level): Promise<unknown> {
  const probedCase = instrument(CASE, { mode: 'exact', capabilities, ...(plannedFor && { level: plannedFor }) });
  return runRound({
    round: 0,
    probedCase,
    dialect: { ...mysql, capabilities, connect: () => Promise.reject(new Error('asked to connect')) },
    level: mysql.levels.find(({ level }) => level === at)!,
    urls: ['mysql://x'],
    mode: 'schedule',
    namespace: 'n',
    recorder: new Recorder(undefined, { tool: 'test', seed: 's' }),
  });
}

it('evaluations differ at READ UNCOMMITTED where what is read beside a query is another query', () => {
  expect(evaluationsDiffer(mysql.capabilities, 'read-uncommitted')).toBe(true);
  expect(evaluationsDiffer(mysql.capabilities, 'read-committed')).toBe(false);
  expect(evaluationsDiffer({ readBeside: true }, 'read-uncommitted')).toBe(false);
});

it('there a round refuses a case that was not planned for it, and only there', async () => {
  await expect(run(mysql.capabilities, 'read-uncommitted')).rejects.toThrow(
    /planned for no level cannot run at read-uncommitted here: .*expected instrument\(\) to be given the level/,
  );
  await expect(run(mysql.capabilities, 'read-uncommitted', 'read-committed')).rejects.toBeInstanceOf(InternalError);
  await expect(run(mysql.capabilities, 'read-uncommitted', 'read-uncommitted')).rejects.toThrow('asked to connect');
  await expect(run(mysql.capabilities, 'read-committed')).rejects.toThrow('asked to connect');
  await expect(run({ ...mysql.capabilities, readBeside: true }, 'read-uncommitted')).rejects.toThrow('asked to connect');
});

it('the plan for that level says so of what it could only collect beside the query', () => {
  const { capture: _, ...capabilities } = mysql.capabilities;
  const probe = (level: Level): unknown =>
    instrument(CASE, { mode: 'exact', capabilities, level }).sessions[0]!.transactions[0]!.statements[0]!.probe.reads;
  expect(probe('read-committed')).toBe('exact');
  expect(probe('read-uncommitted')).not.toBe('exact');
});
