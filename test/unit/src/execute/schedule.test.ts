/** When a schedule asks the server who waits. */
import { expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockedWatcher, Connection, Dialect } from '../../../../core/dialect/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { Recorder } from '../../../../src/execute/index.ts';
import { runSchedule } from '../../../../src/execute/schedule.ts';
import { Session } from '../../../../src/execute/session.ts';
import { scripted } from './scripted-connection.ts';

/** Longer than replies are awaited before anybody is asked, far shorter than the answer below is old. */
const REPLY_MS = 60;

/** Each exchange of it takes a while. */
function slow(dialect: Dialect): Dialect {
  const connect: Dialect['connect'] = async (url, options) => {
    const connection = await dialect.connect(url, options);
    const begin: Connection['begin'] = async (...words) => (await sleep(REPLY_MS), connection.begin(...words));
    return { ...connection, begin };
  };
  return { ...dialect, connect };
}

async function asked(freshIn: number): Promise<number> {
  const { dialect } = scripted(postgres, () => undefined);
  const recorder = new Recorder(undefined, { tool: 'anomalist test', seed: 's' });
  const session = await Session.open({
    number: 0,
    endpoint: 0,
    url: 'scripted://',
    namespace: 'n',
    dialect: slow(dialect),
    level: dialect.levels.find(({ level }) => level === 'read-committed')!,
    statementTimeoutMs: 600_000,
    recorder,
    plan: [{ id: 1, statements: [], end: 'commit', autocommit: false }],
  });
  let questions = 0;
  const watcher: BlockedWatcher = { blocked: async () => (questions++, new Set<string>()), freshIn: () => freshIn };
  await runSchedule([session], [0, 0], { watchers: [watcher], silentMs: 600_000, stopped: () => false });
  expect(session.outcome).toBe('committed');
  return questions;
}

test('a reply that comes before the server can say anything new is taken, and nobody is asked', async () => {
  expect(await asked(600_000)).toBe(0);
});
