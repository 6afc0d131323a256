/**
 * SIGKILL at random moments, of our process and of the server: every history left behind is read by `check`, and its
 * verdict agrees with what the server committed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { HistoryBuilder, LIST_COLUMN, RID_COLUMN, TXN_STATUS, readList } from '../../core/index.ts';
import type { History, HistoryEvent, RoundEvent } from '../../core/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { cli, startCli } from './cli.ts';

const KILLS = Number(process.env['ANOMALIST_KILLS'] ?? 5);
const random = createRandom(process.env['ANOMALIST_KILL_SEED'] ?? 'kill');

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** READ COMMITTED forbids these; whatever else a killed run shows at that level is allowed. */
const LEVEL = 'read-committed';

async function started(out: string, url: string): Promise<ReturnType<typeof startCli>> {
  const running = startCli(['run', '--url', url, '--level', LEVEL, '--duration', '60s', '--seed', String(random.int(1, 1e6)), '--out', out]);
  await new Promise<void>((resolve) => {
    running.child.stderr?.once('data', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, random.int(50, 2_500)));
  return running;
}

function historyOf(out: string): string {
  return join(out, readdirSync(out)[0]!, 'history.ndjson');
}

/** A kill in the middle of a long write can cut the last line: `check` then names the flag that leaves it out. */
async function checked(file: string): Promise<string> {
  let { code, stdout, stderr } = await cli(['check', file, '--level', LEVEL]);
  if (code === 2 && stderr.includes('--allow-cut')) {
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(false);
    ({ code, stdout, stderr } = await cli(['check', file, '--level', LEVEL, '--allow-cut']));
  }
  expect([0, 3], `${file}: ${stdout}${stderr}`).toContain(code);
  return code === 0 ? 'holds' : 'unknown';
}

/** The last round of the file. */
function lastRound(file: string): History {
  const events = readFileSync(file, 'utf8').replace(/[^\n]*$/, '').trimEnd().split('\n').map((line) => JSON.parse(line) as HistoryEvent);
  const at = events.findLastIndex((event) => event.e === 'round');
  const builder = new HistoryBuilder(events[at] as RoundEvent);
  for (const event of events.slice(at + 1)) builder.add(event);
  return builder.finish();
}

describe('kill -9', () => {
  it(`of our process, ${KILLS} times: what the server holds is what the history says, or unknown`, async () => {
    const server: StartedServer = await startPostgres();
    const answers: string[] = [];
    let compared = 0;
    try {
      for (let i = 0; i < KILLS; i++) {
        const out = join(dir, `ours-${i}`);
        const { child, done } = await started(out, server.url);
        child.kill('SIGKILL');
        expect((await done).signal).toBe('SIGKILL');
        const file = historyOf(out);
        answers.push(await checked(file));
        compared += await compareWithServer(server.url, file);
      }
    } finally {
      await server.stop();
    }
    console.log(`kill -9 of ours: ${answers.join(', ')}; ${compared} entries on the server compared with the histories`);
    expect(compared).toBeGreaterThan(0);
  });

  it(`of the server, ${KILLS} times: the run ends by itself and its history is read`, async () => {
    const answers: string[] = [];
    for (let i = 0; i < KILLS; i++) {
      const server = await startPostgres();
      const out = join(dir, `server-${i}`);
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
    console.log(`kill -9 of the server: ${answers.join(', ')}`);
  });
});

/** Every entry in the tables that the killed run left must be of a transaction that the history does not call aborted. Returns how many were compared. */
async function compareWithServer(url: string, file: string): Promise<number> {
  const connection = await postgres.connect(url, {});
  let compared = 0;
  try {
    const schemas = await connection.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'anomalist%'");
    for (const [namespace] of schemas.rows) {
      // The server may still be ending the killed sessions' transactions.
      await connection.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'anomalist' AND pid <> pg_backend_pid()");
      await new Promise((resolve) => setTimeout(resolve, 100));
      const history = lastRound(file);
      // The scratch schema of the predicate step holds copies for the server to evaluate, not the run's tables.
      const scratch = namespace!.endsWith('_p');
      const tables = await connection.query(`SELECT tablename FROM pg_tables WHERE schemaname = '${namespace}'`);
      for (const [table] of scratch ? [] : tables.rows) {
        const rows = await connection.query(`SELECT ${RID_COLUMN}, ${LIST_COLUMN} FROM "${namespace}"."${table}"`);
        for (const [rid, list] of rows.rows) {
          const whole = readList(list ?? '', (txn, seq) => {
            if (txn === 0) return;
            const t = history.transactions.id.indexOf(txn);
            expect(t, `${rid} holds ${txn}.${seq}, which the history never announced`).toBeGreaterThan(0);
            expect(history.transactions.status[t], `${rid} holds ${txn}.${seq} of a transaction that the history calls aborted`).not.toBe(TXN_STATUS.aborted);
            compared++;
          });
          expect(whole).toBe(true);
        }
      }
      await postgres.dropNamespace(connection, namespace!);
    }
  } finally {
    await connection.end();
  }
  return compared;
}
