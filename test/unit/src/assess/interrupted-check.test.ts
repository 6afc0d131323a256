/** Ctrl-C of `check FILE` while the solver, which never returns to the event loop, is at work: what was decided is said. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../../schema-gen/index.ts';
import { convertHistory } from '../../../../src/commands/convert.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-interrupted-'));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

/**
 * Much like 3-SAT: a variable is two blind writers of a key, a literal a reader of one of them, which comes before the
 * other if the literal is false; a clause is three of them in a circle, through keys that those others write too.
 */
function hard(variables: number, clauses: number): string {
  const random = createRandom('hard');
  const txns: string[][] = [];
  const open = (): number => txns.push([]) - 1;
  const add = (t: number, kind: 'r' | 'w', key: number, value: number): void =>
    void txns[t]!.push(`${kind}(${key},${value},${t + 1},${t + 1})`);
  const writers = Array.from({ length: variables }, () => [open(), open()] as const);
  for (const [v, pair] of writers.entries()) for (const [i, t] of pair.entries()) add(t, 'w', v, i + 1);
  for (let link = variables, c = 0; c < clauses; c++) {
    const literals = Array.from({ length: 3 }, () => ({ v: random.int(0, variables - 1), read: random.int(0, 1), reader: open() }));
    for (const { v, read, reader } of literals) add(reader, 'r', v, read + 1);
    for (const [i, { v, read }] of literals.entries()) {
      add(writers[v]![1 - read]!, 'w', link, 1);
      add(literals[(i + 1) % 3]!.reader, 'r', link++, 1);
    }
  }
  return `${txns.flat().join('\n')}\n`;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `until`: on stderr; a line of progress comes every ten seconds. */
async function interrupted(args: readonly string[], until: string): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'check', ...args], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => {
    const before = err.includes(until);
    err += data.toString();
    if (!before && err.includes(until)) child.kill('SIGINT');
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}

describe('Ctrl-C while a level is being decided', () => {
  const text = path.join(dir, 'hard.txt');
  fs.writeFileSync(text, hard(200, 700));
  const elle = path.join(dir, 'hard.edn');
  convertHistory({ from: text, to: elle, toFormat: 'elle' });

  test.concurrent.each([
    ['plume', text],
    ['elle', elle],
  ])('ends with 130 and what is known, of a file of %s', async (_, file) => {
    const { code, out, err } = await interrupted([file, '--level', 'cc', '--level', 'serializable', '--json'], 'conflicts');
    expect(code, err).toBe(130);
    const report = JSON.parse(out) as { readonly interrupted: object; readonly levels: object; readonly reasons: object };
    expect(report.interrupted).toEqual({ transactions: 2500 });
    expect(report.levels).toEqual({ cc: true, serializable: 'unknown' });
    expect(report.reasons).toEqual({ serializable: 'interrupted before it was decided; the history was read whole' });
  });
});
