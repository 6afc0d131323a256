/** Runs the files of a finding in the programs that they are for, and compares each program's output with what was observed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { PlainRun } from '../../core/verdict/index.ts';
import { drivePsql, isolationtester, mysqltest } from './reports-programs.ts';

const SCRATCH = fileURLToPath(new URL('.', import.meta.url)); // repro.mjs resolves its driver from this folder.
export const TESTER: ReturnType<typeof isolationtester> = isolationtester();
export const MYSQLTEST: ReturnType<typeof mysqltest> = mysqltest();

export interface Made {
  readonly plain: PlainRun;
  /** The key of a text is the part of its file's name after `finding-<n>.`. */
  readonly files: Readonly<Record<string, string>>;
}

type Row = readonly (string | null)[];

function sortedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort();
}

const readsOf = ({ steps }: PlainRun): readonly Row[] =>
  steps.flatMap(({ kind, result }) => (kind.startsWith('select') ? (result ?? []) : []));

export function expectIsolationtester({ plain, files }: Made, url: string): void {
  const { status, stdout, stderr } = spawnSync(TESTER!.program, [url], {
    input: files['repro.spec'],
    encoding: 'utf8',
    env: { ...process.env, LD_LIBRARY_PATH: TESTER!.libraries },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('starting permutation:');
  if (plain.steps.some(({ blocked }) => blocked)) expect(stdout).toMatch(/<waiting \.\.\.>[\s\S]*<\.\.\. completed>/);
  expect(stdout.match(/^ERROR:/gm) ?? []).toHaveLength(plain.steps.filter(({ error }) => error !== null).length);
  const rowsOf = (text: string): readonly string[] =>
    sortedLines(text).map((line) =>
      line
        .split('|')
        .map((value) => value.trim())
        .join(),
    );
  const all = rowsOf(stdout);
  for (const row of readsOf(plain)) expect(all).toContain(row.map((value) => value ?? '').join());
  // The last step shows the last table as it was observed.
  const end = rowsOf(stdout.slice(stdout.lastIndexOf('step end_')));
  for (const row of plain.finalState.at(-1)!.rows) expect(end).toContain(row.map((value) => value ?? '').join());
}

export async function expectPsql({ plain, files }: Made, url: string): Promise<void> {
  const schema = 'repro_by_psql';
  spawnSync('psql', ['-X', '-q', '-c', `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`, url]);
  const answers = await drivePsql(url, schema, files['repro.sql']!);
  const lines = (rows: readonly Row[] | null): string[] =>
    sortedLines((rows ?? []).map((row) => row.map((value) => value ?? '').join(', ')).join('\n'));
  const replyTo = new Map(answers.map(({ line, answer }) => [Number(/-- (\d+)\. T\d/.exec(line)?.[1]), answer]));
  for (const [i, { kind, result, blocked, error }] of plain.steps.entries()) {
    const reply = replyTo.get(i + 1);
    if (blocked) expect(reply).toBe('waits');
    else if (error !== null) expect(reply).toContain('ERROR');
    else {
      expect(reply).not.toContain('ERROR');
      if (kind.startsWith('select')) expect(sortedLines(reply!)).toEqual(lines(result));
    }
  }
  const tables = answers.slice(-plain.finalState.length).map(({ answer }) => sortedLines(answer));
  expect(tables).toEqual(plain.finalState.map(({ rows }) => lines(rows)));
}

export function expectMysqltest({ plain, files }: Made, url: string): void {
  const { hostname, port, username, password, pathname } = new URL(url.replace(/^\w+:/, 'http:'));
  const [program, ...first] = MYSQLTEST!.program;
  // mtr itself gives each server an empty database `test` and a root without a password.
  const script = files['repro.test']!.replaceAll(
    /connect \((\w+),localhost,root,,\);/g,
    `connect ($1,${hostname},${decodeURIComponent(username)},${decodeURIComponent(password)},repro_by_mtr,${port});`,
  );
  const { status, stdout, stderr } = spawnSync(
    program!,
    [
      ...first,
      ...MYSQLTEST!.options,
      `--host=${hostname}`,
      '--protocol=tcp',
      `--port=${port}`,
      `--user=${decodeURIComponent(username)}`,
      ...(password === '' ? [] : [`--password=${decodeURIComponent(password)}`]),
      '--tmpdir=/tmp',
      `--database=${pathname.slice(1) || 'mysql'}`,
    ],
    {
      input: `CREATE DATABASE repro_by_mtr;\nUSE repro_by_mtr;\n${script}\nDROP DATABASE repro_by_mtr;\n`,
      encoding: 'utf8',
      cwd: MYSQLTEST!.suite,
    },
  );
  expect(status, stderr + stdout).toBe(0);
  const lines = stdout.split('\n');
  for (const row of [...plain.finalState.at(-1)!.rows, ...readsOf(plain)])
    expect(lines).toContain(row.map((value) => value ?? 'NULL').join('\t'));
}

export function expectNode({ files }: Made, url: string): void {
  const folder = mkdtempSync(join(SCRATCH, '.repro-'));
  try {
    writeFileSync(join(folder, 'repro.mjs'), files['repro.mjs']!);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'repro.mjs'), url, '2'], { encoding: 'utf8' });
    expect(stdout + stderr).toContain('2 of 2 as observed');
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
