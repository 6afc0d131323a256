/**
 * TiDB's own parser accepts every statement that the TiDB printer makes: generated cases with their DDL, instrumented at
 * each level, and what the sessions send beside them. Its grammar only: whether the server does what it accepts, nobody has
 * seen here. Skipped loudly without Go, whose module proxy has the parser (test/tidb-parser).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { tidb } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase, optionsFor } from '../../schema-gen/index.ts';

const CASES = Number(process.env['ANOMALIST_TIDB_CASES'] ?? 1_000);
const FROM = Number(process.env['ANOMALIST_TIDB_FROM'] ?? 0);
const BATCH = 100;
/** The first build fetches the parser and compiles it. */
const BUILD_MS = 1_200_000;

/** Accepted by the grammar, but TiDB's documents say that it does not do it. */
const NOT_DONE =
  /\b(WITH ROLLUP|INTERSECT ALL|EXCEPT ALL|LATERAL|SKIP LOCKED|FOR SHARE|LOCK IN SHARE MODE|ON (DELETE|UPDATE) SET DEFAULT)\b/i;

interface Parser {
  readonly program?: string;
  readonly folder: string;
  readonly missing?: string;
}

function build(): Parser {
  const folder = mkdtempSync(join(tmpdir(), 'anomalist-tidb-parser-'));
  const program = join(folder, 'tidb-parser');
  const { error, status, stderr } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: fileURLToPath(new URL('../tidb-parser', import.meta.url)),
    encoding: 'utf8',
    timeout: BUILD_MS,
  });
  if (error !== undefined) return { folder, missing: `Go cannot be run (${error.message})` };
  if (status === 0) return { folder, program };
  if (/dial tcp|no such host|i\/o timeout|connection refused|proxyconnect|requires go >=|toolchain not available/.test(stderr))
    return { folder, missing: `Go cannot build TiDB's parser here: ${stderr.trim().split('\n').at(-1)}` };
  throw new Error(`go build failed:\n${stderr}`);
}

const parser = build();

afterAll(() => rmSync(parser.folder, { recursive: true, force: true }));

/** An answer for each statement: empty where it is accepted. */
function answers(statements: readonly string[]): readonly string[] {
  const { error, status, stdout, stderr } = spawnSync(parser.program!, {
    input: statements.map((sql) => `${JSON.stringify(sql)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined || status !== 0) throw new Error(`the parser failed: ${error?.message ?? stderr}`);
  const lines = stdout.split('\n').slice(0, -1);
  if (lines.length !== statements.length) throw new Error(`${lines.length} answers for ${statements.length} statements`);
  return lines;
}

function refused(statements: readonly string[]): readonly string[] {
  return answers(statements).flatMap((answer, i) => (answer === '' ? [] : [`${answer}: ${statements[i]}`]));
}

describe.skipIf(parser.program === undefined)(`TiDB's parser${parser.missing === undefined ? '' : `, skipped: ${parser.missing}`}`, () => {
  it('refuses what is no SQL of TiDB', () => {
    expect(answers(['SELECT 1', 'UPDATE t SET a = 1 RETURNING a', 'SELECT FROM', "SELECT '"]).map((answer) => answer === '')).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it(`accepts every statement of ${CASES} generated cases, instrumented, with their DDL`, () => {
    const found: string[] = [];
    const kinds: Record<string, number> = {};
    const planned: string[] = [];
    let statements = 0;
    let captures = 0;
    for (let first = FROM; first < FROM + CASES && found.length === 0; first += BATCH) {
      const batch: string[] = [];
      for (let i = first; i < Math.min(FROM + CASES, first + BATCH); i++) {
        const testCase = generateCase(`tidb ${i}`, { mode: 'schedule', ...optionsFor(tidb.capabilities) });
        const { level } = tidb.levels[i % tidb.levels.length]!;
        const probed = instrument(testCase, {
          mode: i % 10 === 9 ? 'paper' : 'exact',
          capabilities: tidb.capabilities,
          images: true,
          level,
        });
        batch.push(...tidb.createNamespace(`anomalist_${i}`, probed.schema));
        for (const { statements: own } of probed.sessions.flatMap(({ transactions }) => transactions)) {
          for (const { original, statement, before, probe } of own) {
            const sql = tidb.print(statement);
            batch.push(tidb.print(original), sql, ...(before === undefined ? [] : [tidb.print(before.statement)]));
            if (probe.captured !== undefined && sql.includes('@iso_c')) captures++;
            kinds[original.kind] = (kinds[original.kind] ?? 0) + 1;
          }
        }
      }
      statements += batch.length;
      planned.push(...batch.filter((sql) => NOT_DONE.test(sql.replaceAll(/'(?:[^']|'')*'/g, "''"))));
      found.push(...refused(batch));
    }
    console.log(
      `${CASES} cases, ${statements} statements, ${captures} with captures, ${found.length} refused by TiDB's parser; ${Object.entries(
        kinds,
      )
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`,
    );
    expect(found.slice(0, 20)).toEqual([]);
    expect(captures).toBeGreaterThan(CASES);
    expect(planned).toEqual([]);
  }, 1_800_000);

  it('accepts what the sessions and their watcher send', async () => {
    const sent: string[] = [];
    const recording = { query: async (sql: string) => (sent.push(sql), { columns: [], rows: [], affected: 0 }) } as unknown as Parameters<
      typeof tidb.watchBlocked
    >[0];
    await tidb.facts(recording);
    await tidb.watchBlocked(recording).blocked(['1', '2']);
    await tidb.assertFree(recording, 'anomalist_x');
    const { before, after } = tidb.capabilities.capture!;
    sent.push(before, after);
    expect(sent.length).toBeGreaterThan(6);
    expect(refused(sent)).toEqual([]);
  });
});
