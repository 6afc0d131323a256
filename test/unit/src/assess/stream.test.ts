/** What comes on stdin: plume text in windows, told at once, every other format read to its end. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../core/index.ts';
import { checkFile } from '../../../../src/assess/file.ts';
import type { CheckedFile } from '../../../../src/assess/file.ts';
import { checkStream } from '../../../../src/assess/stream.ts';
import type { CheckStreamOptions } from '../../../../src/assess/stream.ts';
import { convertHistory } from '../../../../src/commands/convert.ts';
import { generateHistory } from '../../../../src/commands/generate.ts';

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
      expect(checked.notes.some((note) => note.includes('were forgotten'))).toBe(window === 100);
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
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'check', '-', '--window', '50'], { stdio: 'pipe' });
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

  test('the exit code is that of the answers', () => {
    const run = (input: string): number => {
      try {
        execFileSync(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'check', '-', '--window', '2'], { input, stdio: 'pipe' });
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
