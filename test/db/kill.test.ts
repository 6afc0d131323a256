/**
 * SIGKILL at random moments, of our process and of the server: every history left behind is read by `check`, and its
 * verdict agrees with what the server committed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TXN_STATUS } from '../../core/base/index.ts';
import { HistoryBuilder, LIST_COLUMN, RID_COLUMN, readList, tailOf } from '../../core/history/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { History, RoundEvent } from '../../core/history/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { cli, startCli } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { eventsOf, historyOf, written } from './history-events.ts';
import { until } from './process-watch.ts';

const KILLS = Number(process.env['ANOMALIST_KILLS'] ?? 2);
const random = createRandom(process.env['ANOMALIST_KILL_SEED'] ?? 'kill');

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** READ COMMITTED forbids these; whatever else a killed run shows at that level is allowed. */
const LEVEL = 'read-committed';

async function started(out: string, url: string): Promise<ReturnType<typeof startCli>> {
  const running = startCli(['run', '--url', url, '--level', LEVEL, '--duration', '1h', '--seed', String(random.int(1, 1e6)), '--out', out]);
  // By what it has done and not by the clock: a busy machine may take seconds for the first transaction.
  const enough = random.int(30_000, 500_000);
  while (running.child.exitCode === null && written(out) < enough) await new Promise((resolve) => setTimeout(resolve, 5));
  return running;
}

/** A kill in the middle of a long write can cut the last line: `check` then names the flag that leaves it out. */
async function checked(file: string): Promise<string> {
  let { code, stdout, stderr } = await cli(['check', file, '--level', LEVEL]);
  if (code === 2 && stderr.includes('--allow-cut')) {
    expect(readFileSync(tailOf(file), 'utf8').endsWith('\n')).toBe(false);
    ({ code, stdout, stderr } = await cli(['check', file, '--level', LEVEL, '--allow-cut']));
  }
  expect([0, 3], `${file}: ${stdout}${stderr}`).toContain(code);
  return code === 0 ? 'holds' : 'unknown';
}

/** The last round of the file. */
function lastRound(file: string): History {
  const events = eventsOf(file);
  const at = events.findLastIndex((event) => event.e === 'round');
  const builder = new HistoryBuilder(events[at] as RoundEvent);
  for (const event of events.slice(at + 1)) builder.add(event);
  return builder.finish();
}

describeEachProtocol('kill -9', ({ target, dialect, start }) => {
  it(`of our process, ${KILLS} times: what the server holds is what the history says, or unknown`, async () => {
    const server = await start();
    const answers: string[] = [];
    let compared = 0;
    try {
      // One that is killed before its round has written anything shows nothing: then once more.
      for (let i = 0; i < KILLS || (compared === 0 && i < 10 * KILLS); i++) {
        const out = join(dir, `ours-${target}-${i}`);
        const { child, done } = await started(out, server.url);
        child.kill('SIGKILL');
        expect((await done).signal).toBe('SIGKILL');
        const file = historyOf(out);
        answers.push(await checked(file));
        compared += await compareWithServer(dialect, server.url, file);
      }
    } finally {
      await server.stop();
    }
    console.log(`${target}, kill -9 of ours: ${answers.join(', ')}; ${compared} entries on the server compared with the histories`);
    expect(compared).toBeGreaterThan(0);
  });

  it(`of the server, ${KILLS} times: the run ends by itself and its history is read`, async () => {
    const answers: string[] = [];
    for (let i = 0; i < KILLS; i++) {
      const server = await start();
      const out = join(dir, `server-${target}-${i}`);
      try {
        const { done } = await started(out, server.url);
        server.kill('SIGKILL');
        const { code, stdout, stderr } = await done;
        expect(code, `${stdout}${stderr}`).toBe(2);
        expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
        answers.push(await checked(historyOf(out)));
      } finally {
        await server.stop();
      }
    }
    console.log(`${target}, kill -9 of the server: ${answers.join(', ')}`);
  });
});

/** Every entry in the tables that the killed run left must be of a transaction that the history does not call aborted. Returns how many were compared. */
async function compareWithServer(dialect: Dialect, url: string, file: string): Promise<number> {
  const connection = await dialect.connect(url, {});
  let compared = 0;
  try {
    const schemas = await connection.query("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'anomalist%'");
    for (const [namespace] of schemas.rows) {
      await othersGone(connection);
      const history = lastRound(file);
      // The scratch schema of the predicate step holds copies for the server to evaluate, not the run's tables.
      const scratch = namespace!.endsWith('_p');
      const tables = await connection.query(
        `SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = '${namespace}' AND column_name = '${LIST_COLUMN}' AND table_name IN (SELECT table_name FROM information_schema.tables WHERE table_schema = '${namespace}' AND table_type = 'BASE TABLE')`,
      );
      for (const [table] of scratch ? [] : tables.rows) {
        const rows = await connection.query(`SELECT ${RID_COLUMN}, ${LIST_COLUMN} FROM ${namespace}.${table}`);
        for (const [rid, list] of rows.rows) {
          const whole = readList(list ?? '', (txn, seq) => {
            if (txn === 0) return;
            const t = history.transactions.id.indexOf(txn);
            expect(t, `${rid} holds ${txn}.${seq}, which the history never announced`).toBeGreaterThan(0);
            expect(history.transactions.status[t], `${rid} holds ${txn}.${seq} of a transaction that the history calls aborted`).not.toBe(
              TXN_STATUS.aborted,
            );
            compared++;
          });
          expect(whole).toBe(true);
        }
      }
      await dialect.dropNamespace(connection, namespace!);
    }
  } finally {
    await connection.end();
  }
  return compared;
}

/** Sessions of ours that the server still has, the one that asks excepted; where the first is not understood, the second is. */
const OTHERS = [
  "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'anomalist' AND pid <> pg_backend_pid()",
  "SELECT count(*) FROM information_schema.processlist WHERE user = 'root' AND id <> CONNECTION_ID()",
];

/** The server may still be ending the killed sessions' transactions. */
async function othersGone(connection: Connection): Promise<void> {
  const gone = await until(async () => {
    const { rows } = await connection.query(OTHERS[0]!).catch(async () => connection.query(OTHERS[1]!));
    return rows[0]?.[0] === '0';
  });
  if (!gone) throw new Error('the server still has sessions of the killed process');
}
