/** The final read counts only if every table was read and its own COMMIT was one: else rows that it lacks would count as gone. */
import { expect, test } from 'vitest';
import type { EndpointState } from '../../../../core/dialect/index.ts';
import type { ProbedCase } from '../../../../core/program/index.ts';
import type { HistoryEvent } from '../../../../core/history/index.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { finalRead } from '../../../../src/execute/final-read.ts';
import { Recorder } from '../../../../src/execute/index.ts';
import type { RoundSetup } from '../../../../src/execute/index.ts';
import { schemaOf } from '../../../sql.ts';
import { scripted } from './scripted-connection.ts';
import type { Answer } from './scripted-connection.ts';

const SCHEMA = schemaOf('CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE u (k int PRIMARY KEY)');
const ALONE: readonly EndpointState[] = [{ readOnly: false, configuration: {} }];

/** Why the final read of two tables is no good; `answer` by what is sent. */
async function readBy(
  base: typeof mysql,
  answer: (sql: string) => Answer,
): Promise<{ readonly why: string | undefined; readonly events: readonly HistoryEvent[] }> {
  const probedCase: ProbedCase = instrument(
    { seed: 's', schema: SCHEMA, sessions: [] },
    { mode: 'exact', capabilities: base.capabilities },
  );
  const recorder = new Recorder(undefined, { tool: 'anomalist test', seed: 's' });
  const events: HistoryEvent[] = [];
  recorder.listen((event) => events.push(event));
  const { dialect } = scripted(base, answer);
  const setup: RoundSetup = {
    round: 0,
    probedCase,
    dialect,
    level: dialect.levels[0]!,
    urls: ['scripted://h/d'],
    mode: 'schedule',
    namespace: 'n',
    recorder,
  };
  return { why: await finalRead(setup, ALONE, new Set()), events };
}

/** Of the table u alone, however its name is qualified. */
const ofU = (sql: string): boolean => sql.startsWith('SELECT') && /\bu\b/.test(sql);

test('it is done when every table was read and the COMMIT behind it was one', async () => {
  const { why, events } = await readBy(mysql, () => undefined);
  expect(why).toBeUndefined();
  expect(events.flatMap((event) => (event.e === 'invoke' && event.k === 'final' ? [event.p] : []))).toEqual([0, 1]);
});

test('it failed where one table was not read, although the COMMIT behind it succeeded', async () => {
  const { why, events } = await readBy(mysql, (sql) => (ofU(sql) ? Object.assign(new Error('too slow'), { errno: 3024 }) : undefined));
  expect(events.at(-1)).toMatchObject({ e: 'end', outcome: 'committed' });
  expect(why).toMatch(/^the final read on .* failed$/);
});

test('it failed where its COMMIT was a rollback, although no statement failed', async () => {
  const { why, events } = await readBy(postgres, (sql) => (sql === 'COMMIT' ? { tag: 'rollback' } : undefined));
  expect(events.filter(({ e }) => e === 'fail')).toEqual([]);
  expect(why).toMatch(/^the final read on .* failed$/);
});
