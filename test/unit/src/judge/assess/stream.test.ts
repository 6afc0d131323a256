/** What comes on stdin: plume text in windows, told at once, every other format read to its end. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../../core/base/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import type { CheckedFile } from '../../../../../src/judge/assess/file.ts';
import { checkStream } from '../../../../../src/judge/assess/stream.ts';
import type { CheckStreamOptions } from '../../../../../src/judge/assess/stream.ts';
import { convertHistory } from '../../../../../src/app/commands/convert.ts';
import { generateHistory } from '../../../../../src/app/commands/generate.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-stream-'));
const at = (name: string): string => path.join(dir, name);
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const QUIET = { format: 'auto', report: 'class', allowCut: false, progress: () => undefined } as const;

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

function streamed(bytes: Uint8Array, options: Partial<CheckStreamOptions> = {}): Promise<CheckedFile> {
  return checkStream(pieces(bytes, 1000), { ...QUIET, window: 100, found: () => undefined, ...options });
}

const answers = ({ levels }: CheckedFile): readonly string[] => levels.map(({ level, answer }) => `${level} ${answer}`);

describe('a history on stdin', () => {
  generateHistory({ kind: 'mini', sessions: 5, transactions: 2000, keys: 50, plant: 'WriteSkew', seed: 'stream', out: at('h.txt') });
  const text = fs.readFileSync(at('h.txt'));

  test('the answers are those of the file, whether it was forgotten in between or not; a violation is told at once', async () => {
    const whole = await checkFile(at('h.txt'), QUIET);
    for (const window of [100, 10_000]) {
      const told: number[] = [];
      const checked = await streamed(text, { window, found: (anomalies, transactions) => told.push(anomalies.length, transactions) });
      expect(answers(checked), String(window)).toEqual(answers(whole));
      expect([checked.format, checked.transactions]).toEqual(['plume', whole.transactions]);
      expect(told[0]).toBeGreaterThan(0);
      expect(checked.anomalies.map((anomaly) => anomaly.class)).toEqual(['WriteSkew']);
      expect(checked.notes.some(({ code }) => code === 'checked-in-windows')).toBe(window === 100);
    }
  });

  test('other formats and packed text are read to their end', async () => {
    const whole = await checkFile(at('h.txt'), QUIET);
    convertHistory({ from: at('h.txt'), to: at('h.edn'), toFormat: 'elle' });
    const elle = await streamed(fs.readFileSync(at('h.edn')));
    expect([elle.format, answers(elle).includes('serializable false')]).toEqual(['elle', true]);
    const packed = await streamed(zlib.gzipSync(text));
    expect([packed.format, answers(packed)]).toEqual(['plume', answers(whole)]);
  });

  test('a level that no register history can answer is unknown here too, and a byte order mark is passed over', async () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]);
    const { levels } = await streamed(marked, { levels: ['read-committed', 'serializable'] });
    expect(levels.map(({ answer }) => answer)).toEqual(['unknown', false]);
  });

  test('nothing at all is refused, and a bad line with its number', async () => {
    await expect(streamed(Buffer.from('\n \n'))).rejects.toThrow(UsageError);
    await expect(streamed(Buffer.from('\n \n'))).rejects.toThrow(/stdin: got nothing/);
    await expect(streamed(Buffer.concat([text, Buffer.from('r(1,2)\n')]))).rejects.toThrow(/stdin: line \d+: got "r\(1,2\)"/);
  });

  test('the command says on stderr what it finds while its input is still open', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/app/cli.ts', 'check', '-', '--window', '50'], { stdio: 'pipe' });
    let [out, err] = ['', ''];
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const told = new Promise<void>((resolve) => {
      child.stderr.on('data', (data: Buffer) => {
        err += data.toString();
        if (err.includes('WriteSkew')) resolve();
      });
    });
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stdin.write(text);
    await Promise.race([told, ended]);
    expect(err, 'told before the end').toMatch(/after \d+ transactions: WriteSkew, violates serializable/);
    expect(out).toBe('');
    child.stdin.end();
    expect(await ended).toBe(1);
    expect(out).toMatch(/serializable +VIOLATED/);
  });

  test('interrupted, it ends with 130 and says what it knows of what it had read, while its input is still open', async () => {
    const args = ['--import', 'tsx', 'src/app/cli.ts', 'check', '-', '--window', '50', '--json'];
    const child = spawn(process.execPath, args, { stdio: 'pipe' });
    let [out, err] = ['', ''];
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stderr.on('data', (data: Buffer) => {
      if (!err.includes('WriteSkew') && (err += data.toString()).includes('WriteSkew')) child.kill('SIGINT');
    });
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stdin.on('error', () => undefined); // it reads no more
    child.stdin.write(text);
    expect(await ended, err).toBe(130);
    child.stdin.destroy();
    const report = JSON.parse(out) as {
      readonly interrupted: { readonly transactions: number };
      readonly levels: Readonly<Record<string, unknown>>;
      readonly reasons: Readonly<Record<string, string>>;
    };
    expect(report.interrupted.transactions).toBeGreaterThan(50);
    expect(report.levels).toEqual({ rc: 'unknown', ra: 'unknown', cc: 'unknown', 'snapshot-isolation': 'unknown', serializable: false });
    expect(report.reasons['rc']).toBe(
      `interrupted after ${report.interrupted.transactions} transactions: they show no violation so far, of what was not read nothing is known`,
    );
  });

  test('the exit code is that of the answers', () => {
    const run = (input: string): number => {
      try {
        execFileSync(process.execPath, ['--import', 'tsx', 'src/app/cli.ts', 'check', '-', '--window', '2'], { input, stdio: 'pipe' });
        return 0;
      } catch (error) {
        return (error as { status: number }).status;
      }
    };
    const chain = Array.from({ length: 20 }, (_, i) => `r(1,${i},1,${i + 1})\nw(1,${i + 1},1,${i + 1})\n`).join('');
    expect(run(chain)).toBe(0);
    expect(run(`${chain}r(1,3,2,21)\n`)).toBe(3);
    expect(run(`${chain}r(1,99,2,21)\n`)).toBe(1);
  });
});

test('pieces that were read are given back while more come, though somebody may still interrupt', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const seen: WeakRef<Uint8Array>[] = [];
  let held = -1;
  async function* counting(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 200; i++) {
      const piece = new Uint8Array(Buffer.from(`r(1,${i},1,${i + 1})\nw(1,${i + 1},1,${i + 1})\n`));
      seen.push(new WeakRef(piece));
      yield piece;
    }
    await new Promise((resolve) => setImmediate(resolve)); // a reference that was asked for lives to the end of the turn
    collect();
    held = seen.filter((piece) => piece.deref() !== undefined).length;
  }
  const { signal } = new AbortController();
  const { transactions } = await checkStream(counting(), { ...QUIET, window: 50, found: () => undefined, signal });
  expect(transactions).toBe(200);
  expect(held).toBeLessThan(10);
});

describe('an interrupted stream', () => {
  const asked = ['snapshot-isolation', 'serializable'] as const;
  const mini = (plant: 'WriteSkew' | 'ThinAirRead' | 'LostUpdate' | undefined, seed: string): Buffer => {
    const transactions = { kind: 'mini', sessions: 4, transactions: 400, keys: 20, ...(plant && { plant }), seed } as const;
    generateHistory({ ...transactions, out: at(`${seed}.txt`) });
    return fs.readFileSync(at(`${seed}.txt`));
  };

  /** The signal comes when so many bytes are read, and the stream goes on for ever. */
  async function interrupted(bytes: Uint8Array, read: number, options: Partial<CheckStreamOptions> = {}): Promise<CheckedFile> {
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield* pieces(bytes.subarray(0, read), 1000);
      controller.abort();
      await new Promise(() => undefined);
    }
    return checkStream(endless(), { ...QUIET, window: 50, found: () => undefined, signal: controller.signal, ...options });
  }

  test('never says that a level holds, nor that one is violated that is not', async () => {
    let [early, late] = [0, 0];
    for (const plant of [undefined, 'WriteSkew', 'ThinAirRead', 'LostUpdate'] as const) {
      const text = mini(plant, `cut-${plant}`);
      const whole = answers(await streamed(text, { levels: asked }));
      for (let part = 0; part <= 20; part++) {
        for (const window of [50, 1_000]) {
          const cut = await interrupted(text, Math.floor((text.length * part) / 20), { levels: asked, window });
          expect([cut.interrupted, cut.levels.some(({ answer }) => answer === true)]).toEqual([true, false]);
          const violated = answers(cut).filter((answer) => answer.endsWith(' false'));
          expect(whole, `${plant} ${part}`).toEqual(expect.arrayContaining([...violated]));
          if (violated.length > 0 && plant !== undefined) late++;
          else if (plant !== undefined) early++;
        }
      }
    }
    expect(Math.min(early, late)).toBeGreaterThan(10);
  });

  test('what nobody had written yet may still be written, and half a line is no line', async () => {
    const text = Buffer.from('w(1,1,1,1)\nr(1,1,2,2)\nr(2,7,2,2)\nw(2,8,2,2)\nr(1,1,3,3)\nr(1,1,4,4)\nr(1,');
    const { levels, transactions } = await interrupted(text, text.length, { levels: asked });
    expect(transactions).toBe(3); // the fourth may go on
    expect(levels.map(({ answer }) => answer)).toEqual(['unknown', 'unknown']);
  });

  test('says why nothing was judged: the reads fix no orders, or the format is read to its end first, or nothing came', async () => {
    const blind = Buffer.from(Array.from({ length: 30 }, (_, i) => `w(${i % 3},${i + 1},${i % 2},${i + 1})\n`).join(''));
    const reasons = async (bytes: Uint8Array): Promise<readonly (string | undefined)[]> =>
      (await interrupted(bytes, bytes.length, { levels: ['serializable'], window: 1_000 })).levels.map(({ reason }) => reason);
    expect(await reasons(blind)).toEqual([
      expect.stringMatching(/^interrupted after 29 transactions: they are judged only at the end of the input, since key 0 is written/),
    ]);
    expect(await reasons(zlib.gzipSync(blind))).toEqual([
      expect.stringMatching(/^interrupted after \d+ bytes: what is not plain plume text is/),
    ]);
    expect(await reasons(Buffer.alloc(0))).toEqual(['interrupted after 0 bytes: nothing had come']);
  });

  test('is interrupted too where the writer of the pipe was, and its end came first', async () => {
    const controller = new AbortController();
    async function* ending(): AsyncGenerator<Uint8Array> {
      yield mini(undefined, 'ends');
      setImmediate(() => controller.abort());
    }
    let over = 0;
    const options = { ...QUIET, window: 50, levels: asked, found: () => undefined, ended: () => void over++, signal: controller.signal };
    const cut = await checkStream(ending(), options);
    expect([cut.interrupted, cut.levels.some(({ answer }) => answer === true), over]).toEqual([true, false, 1]);
  });
});
