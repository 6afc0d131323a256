/** Ctrl-C of `check FILE` while the solver, which never returns to the event loop, is at work: what was decided is said. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { HISTORY_FORMAT, HISTORY_VERSION } from '../../../../../core/history/index.ts';
import type { HistoryEvent, InvokeEvent, OkEvent, SentKind } from '../../../../../core/history/index.ts';
import { createRandom } from '../../../../../schema-gen/index.ts';
import { convertHistory } from '../../../../../src/app/commands/convert.ts';

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
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/app/cli.ts', 'check', ...args], { stdio: 'pipe' });
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

/** A round of registers: `text` in words of plume, a transaction after the other in sessions of their own. */
function roundOf(round: number, text: string): readonly HistoryEvent[] {
  let at = 0;
  const statement = (s: number, t: number, n: number, k: SentKind, more: Partial<InvokeEvent>, reply: Partial<OkEvent>): HistoryEvent[] => [
    { e: 'invoke', s, t, n, k, at: at++, sql: `${k} ${t}.${n}`, ...more },
    { e: 'ok', s, t, n, at: at++, ...reply },
  ];
  const txns = new Map<number, (readonly [kind: string, key: number, value: number])[]>();
  for (const [, kind = '', key, value, , txn] of text.matchAll(/([rw])\((\d+),(\d+),(\d+),(\d+)\)/g)) {
    const ops = txns.get(Number(txn)) ?? [];
    txns.set(Number(txn), ops);
    ops.push([kind, Number(key), Number(value)]);
  }
  const begins = [...txns.keys()].flatMap((t) => statement(t, t, 0, 'begin', {}, {}));
  const bodies = [...txns].flatMap(([t, ops]) =>
    ops.flatMap(([kind, key, value], i) =>
      kind === 'r'
        ? statement(t, t, i + 1, 'select', { op: { do: 'read', key } }, { rows: 1, result: [[String(value)]] })
        : statement(t, t, i + 1, 'update', { op: { do: 'write', key, value }, seq: i + 1 }, { rows: 1 }),
    ),
  );
  const ends = [...txns].flatMap(([t, ops]) => statement(t, t, ops.length + 1, 'commit', {}, { tag: 'commit' }));
  const opened: HistoryEvent = {
    e: 'round',
    round,
    seed: 's',
    dialect: 'd',
    server: 's',
    level: 'serializable',
    mode: 'stress',
    instrument: 'none',
    sessions: txns.size + 1,
    endpoints: [],
    tables: ['kv'],
    objects: true,
    contents: 'values',
    configuration: {},
  };
  return [opened, ...begins, ...bodies, ...ends, { e: 'close', round, at, complete: true }];
}

function recordOf(name: string, texts: readonly string[]): string {
  const file = path.join(dir, name);
  const header: HistoryEvent = { e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 't', seed: 's' };
  const events = [header, ...texts.flatMap((text, round) => roundOf(round, text))];
  fs.writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}

interface Known {
  readonly interrupted?: boolean;
  readonly rounds: number;
  readonly levels: readonly { readonly level: string; readonly answer: unknown; readonly reason?: string }[];
}

async function interruptedRounds(file: string): Promise<Known> {
  const program = fileURLToPath(new URL('./interrupted-rounds.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  expect(await new Promise<number | null>((resolve) => child.on('close', resolve))).toBe(0);
  return JSON.parse(out) as Known;
}

describe('Ctrl-C while the rounds of a record are judged', () => {
  const skew = 'r(1,0,1,1) r(2,0,1,1) w(1,5,1,1) r(1,0,2,2) r(2,0,2,2) w(2,6,2,2)';
  const serial = 'r(1,0,1,1) w(1,5,1,1) r(1,5,2,2) w(1,6,2,2)';
  const hardest = hard(200, 700);

  test.concurrent.each([
    ['what was violated stays so', skew, false],
    ['what held is not said of the rounds that were not read', serial, 'unknown'],
  ] as const)('%s', async (name, first, serializable) => {
    const { interrupted: ended, rounds, levels } = await interruptedRounds(recordOf(`${name}.ndjson`, [first, hardest]));
    expect(ended).toBe(true);
    // the second was being read, or had been
    expect([1, 2]).toContain(rounds);
    expect(levels.find(({ level }) => level === 'serializable')?.answer).toBe(serializable);
    expect(levels.some(({ answer }) => answer === true)).toBe(false);
    const reason = levels.find(({ level }) => level === 'read-committed')?.reason;
    expect(reason).toBe('interrupted: it holds of the rounds that were judged by then');
  });
});
