import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../core/index.ts';
import { checkFile } from '../../../src/check-file.ts';
import { convertHistory } from '../../../src/commands/convert.ts';
import { generateHistory } from '../../../src/commands/generate.ts';
import { historyStats } from '../../../src/commands/stats.ts';
import { readForeignHistory } from '../../../src/history-files.ts';
import { judgeForeign } from '../../../src/judge-foreign.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-formats-'));
const at = (name: string): string => path.join(dir, name);
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

describe('histories on disk', () => {
  generateHistory({ kind: 'mini', sessions: 5, transactions: 200, keys: 20, plant: 'LongFork', seed: 'disk', out: at('h.txt') });

  test('a generated history is counted and judged', () => {
    const stats = historyStats({ path: at('h.txt') });
    expect([stats.format, stats.transactions.committed, stats.mini, stats.keys]).toEqual(['plume', 204, 'yes', 22]);
    const verdict = judgeForeign(readForeignHistory(at('h.txt')).parsed);
    if (verdict.kind !== 'kv') throw new Error('a register history');
    expect(verdict.verdicts.map(({ level, answer }) => `${level} ${answer}`)).toEqual(['rc true', 'ra true', 'cc true', 'snapshot-isolation false', 'serializable false']);
  });

  test('conversion through cobra, dbcop, Elle and back keeps the verdicts', () => {
    let from = at('h.txt');
    for (const toFormat of ['cobra', 'dbcop', 'dbcop-json', 'elle', 'elle-json']) {
      const to = at(`as-${toFormat}`);
      convertHistory({ from, to, toFormat });
      const verdict = judgeForeign(readForeignHistory(to).parsed, { levels: ['cc', 'snapshot-isolation', 'serializable'] });
      if (verdict.kind !== 'kv') throw new Error('a register history');
      expect(verdict.verdicts.map(({ answer }) => answer), toFormat).toEqual([true, false, false]);
      from = to;
    }
  });

  test('gzip is taken off, and a cut gzip file is refused', () => {
    const packed = zlib.gzipSync(fs.readFileSync(at('h.txt')));
    fs.writeFileSync(at('h.txt.gz'), packed);
    expect(historyStats({ path: at('h.txt.gz') })).toEqual(historyStats({ path: at('h.txt') }));
    fs.writeFileSync(at('cut.txt.gz'), packed.subarray(0, packed.length - 20));
    expect(() => historyStats({ path: at('cut.txt.gz') })).toThrow(UsageError);
  });

  test('zstd is taken off where this Node has it, and elsewhere refused with what to do', async () => {
    const check = (name: string): ReturnType<typeof checkFile> => checkFile(at(name), { format: 'auto', report: 'class', allowCut: false, progress: () => undefined });
    const compress = (zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array }).zstdCompressSync;
    const plain = fs.readFileSync(at('h.txt'));
    const packed = compress?.(plain) ?? Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0); // an empty frame
    fs.writeFileSync(at('h.txt.zst'), packed);
    if (compress === undefined) {
      await expect(check('h.txt.zst')).rejects.toThrow(/h\.txt\.zst: got zstd, which Node .* cannot unpack; unpack it first \(zstd -d\), or use Node 22\.15 or later/);
      return;
    }
    expect((await check('h.txt.zst')).levels).toEqual((await check('h.txt')).levels);
    fs.writeFileSync(at('cut.txt.zst'), packed.subarray(0, packed.length - 20));
    await expect(check('cut.txt.zst')).rejects.toThrow(UsageError);
  });

  test('a pipe, which can be read only once, is judged, counted and converted like the file', async () => {
    fs.writeFileSync(at('bad.txt'), 'w(1,1,1,1)\nr(1,2,2,2)\n');
    fs.writeFileSync(at('round.ndjson'), '{"e":"header","format":"anomalist-history","version":1,"tool":"t","seed":"s"}\n');
    execFileSync('mkfifo', [at('pipe')]);
    const piped = async <T>(name: string, use: (pipe: string) => T): Promise<T> => {
      const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', at(name), at('pipe')]);
      try {
        return await use(at('pipe'));
      } finally {
        writer.kill();
      }
    };
    const check = (path: string, format = 'auto'): ReturnType<typeof checkFile> => checkFile(path, { format, report: 'class', allowCut: false, progress: () => undefined });
    for (const name of ['bad.txt', 'h.txt', 'h.txt.gz']) {
      expect((await piped(name, check)).levels, name).toEqual((await check(at(name))).levels);
      expect(await piped(name, (path) => historyStats({ path }))).toEqual(historyStats({ path: at(name) }));
    }
    expect((await piped('bad.txt', (pipe) => check(pipe, 'plume'))).levels.map(({ answer }) => answer)).toEqual([false, false, false, false, false]);
    expect((await piped('round.ndjson', check)).notes).toEqual(['the file holds no round: nothing was checked']);
    await piped('bad.txt', (from) => convertHistory({ from, to: at('piped.edn'), toFormat: 'elle' }));
    expect(historyStats({ path: at('piped.edn') }).transactions.committed).toBe(2);
  });

  test('a history in which nothing committed is not judged', async () => {
    const check = async (name: string, text: string, format = 'auto'): Promise<unknown> => {
      fs.writeFileSync(at(name), text);
      const { levels } = await checkFile(at(name), { format, report: 'class', allowCut: false, progress: () => undefined });
      return [...new Set(levels.map(({ answer, reason }) => `${answer}: ${reason}`))];
    };
    const nothing = ['unknown: nothing to judge: no transaction committed'];
    for (const format of ['plume', 'test', 'elle', 'elle-json', 'lwt']) expect(await check('empty', '', format), format).toEqual(nothing);
    expect(await check('no-sessions.json', '[]', 'dbcop-json')).toEqual(nothing);
    expect(await check('aborted.txt', 'w(1,1,1,-1)\n')).toEqual(nothing);
    expect(await check('failed.edn', '{:type :invoke :process 0 :f :txn :value [[:w :x 1]]}\n{:type :fail :process 0 :f :txn :value [[:w :x 1]]}')).toEqual(nothing);
    fs.mkdirSync(at('logs'));
    fs.writeFileSync(at('logs/a.log'), '');
    expect((await checkFile(at('logs'), { format: 'auto', report: 'class', allowCut: false, progress: () => undefined })).levels.every(({ answer }) => answer === 'unknown')).toBe(true);
  });

  test('what is not there, or is a heap of files, is refused', () => {
    expect(() => historyStats({ path: at('nothing') })).toThrow(/no such file/);
    expect(() => historyStats({ path: dir })).toThrow(/expected a folder of \*\.log files/);
  });
});
