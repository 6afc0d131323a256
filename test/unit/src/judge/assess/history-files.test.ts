import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../../core/base/index.ts';
import type { Note } from '../../../../../core/history/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import { convertHistory } from '../../../../../src/app/commands/convert.ts';
import { generateHistory } from '../../../../../src/app/commands/generate.ts';
import { historyStats } from '../../../../../src/app/commands/stats.ts';
import { readTransactionHistory } from '../../../../../src/judge/assess/history-files.ts';
import { assessForeign } from '../../../../../src/judge/assess/foreign.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-formats-'));
const at = (name: string): string => path.join(dir, name);
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

describe('histories on disk', () => {
  generateHistory({ kind: 'mini', sessions: 5, transactions: 200, keys: 20, plant: 'LongFork', seed: 'disk', out: at('h.txt') });

  test('a generated history is counted and judged', () => {
    const stats = historyStats({ path: at('h.txt') });
    expect([stats.format, stats.transactions.committed, stats.mini, stats.keys]).toEqual(['plume', 204, 'yes', 22]);
    const verdict = assessForeign(readTransactionHistory('a test', at('h.txt')).parsed);
    if (verdict.kind !== 'kv') throw new Error('a register history');
    expect(verdict.verdicts.map(({ level, answer }) => `${level} ${answer}`)).toEqual([
      'rc true',
      'ra true',
      'cc true',
      'snapshot-isolation false',
      'serializable false',
    ]);
  });

  test('conversion through cobra, dbcop, Elle and back keeps the verdicts', () => {
    let from = at('h.txt');
    for (const toFormat of ['cobra', 'dbcop', 'dbcop-json', 'elle', 'elle-json']) {
      const to = at(`as-${toFormat}`);
      convertHistory({ from, to, toFormat });
      const verdict = assessForeign(readTransactionHistory('a test', to).parsed, { levels: ['cc', 'snapshot-isolation', 'serializable'] });
      if (verdict.kind !== 'kv') throw new Error('a register history');
      expect(
        verdict.verdicts.map(({ answer }) => answer),
        toFormat,
      ).toEqual([true, false, false]);
      from = to;
    }
  });

  test('what another format would take for something else is not converted', () => {
    const log = (name: string, ...values: readonly string[]): string => {
      fs.writeFileSync(
        at(name),
        values
          .map((value, i) => `{:type :invoke :process ${i} :f :txn :value ${value}}\n{:type :ok :process ${i} :f :txn :value ${value}}\n`)
          .join(''),
      );
      return at(name);
    };
    const thinAir = log('thin-air.edn', '[[:w 1 5]]', '[[:r 1 0]]');
    for (const toFormat of ['plume', 'dbcop', 'dbcop-json'])
      expect(() => convertHistory({ from: thinAir, to: at('out'), toFormat }), toFormat).toThrow(
        /key 1 is read as 0, which no committed transaction wrote/,
      );
    const both = log('nil-and-zero.edn', '[[:w 1 0]]', '[[:r 1 nil]]', '[[:r 1 0]]');
    for (const toFormat of ['plume', 'dbcop'])
      expect(() => convertHistory({ from: both, to: at('out'), toFormat }), toFormat).toThrow(
        /key 1 has both an initial value and a written 0/,
      );
    convertHistory({ from: both, to: at('nil-and-zero.json'), toFormat: 'dbcop-json' });
    expect(() =>
      convertHistory({ from: log('reserved.edn', '[[:w 1 5]]', '[[:r 1 3735928559]]'), to: at('out'), toFormat: 'cobra' }),
    ).toThrow(/cobra: the value 3735928559 is reserved in the logs/);
    // the initial 0 beside an aborted write of 0 is nil where 0 is a value like others
    fs.writeFileSync(at('aborted-zero.txt'), 'w(1,0,1,-1)\nr(1,0,2,2)\n');
    convertHistory({ from: at('aborted-zero.txt'), to: at('aborted-zero.edn'), toFormat: 'elle' });
    expect(fs.readFileSync(at('aborted-zero.edn'), 'utf8')).toMatch(/:type :ok.*\[:r 1 nil\]/);
  });

  test('times that a format cannot keep are said to be left out', () => {
    fs.writeFileSync(
      at('timed.edn'),
      '{:type :invoke :process 0 :f :txn :value [[:w 1 5]]}\n{:type :ok :process 0 :f :txn :value [[:w 1 5]]}\n',
    );
    const notes = (toFormat: string): readonly Note[] =>
      convertHistory({ from: at('timed.edn'), to: at(`timed-${toFormat}`), toFormat }).notes;
    for (const format of ['plume', 'test', 'cobra', 'dbcop', 'dbcop-json'])
      expect(notes(format), format).toEqual([{ code: 'times-left-out', data: { format } }]);
    for (const format of ['elle', 'elle-json', 'lwt']) expect(notes(format), format).toEqual([]);
  });

  test('two inserts of one key, each if it did not exist, are not linearizable', async () => {
    const write = (process: number, value: string): string =>
      `{:type :invoke :process ${process} :f :write :value ${value}}\n{:type :ok :process ${process} :f :write :value ${value}}\n`;
    const check = async (name: string, text: string, format = 'lwt'): Promise<unknown> => {
      fs.writeFileSync(at(name), text);
      const { levels, anomalies, notes } = await checkFile(at(name), {
        format,
        report: 'class',
        allowCut: false,
        progress: () => undefined,
      });
      return [levels.find(({ level }) => level === 'strict-serializable')?.answer, anomalies.map((anomaly) => anomaly.class), notes.length];
    };
    expect(await check('twice.edn', write(0, '[1 5]') + write(0, '[1 6]'))).toEqual([false, ['NotLinearizable'], 1]);
    // In Jepsen's register logs :write is a plain write.
    expect(await check('twice.edn', write(0, '[1 5]') + write(0, '[1 6]'), 'auto')).toEqual(['unknown', [], 1]);
    expect(await check('apart.edn', write(0, '[1 5]') + write(0, '[2 6]'), 'auto')).toEqual([true, [], 0]);
  });

  test('gzip is taken off, and a cut gzip file is refused', () => {
    const packed = zlib.gzipSync(fs.readFileSync(at('h.txt')));
    fs.writeFileSync(at('h.txt.gz'), packed);
    expect(historyStats({ path: at('h.txt.gz') })).toEqual(historyStats({ path: at('h.txt') }));
    fs.writeFileSync(at('cut.txt.gz'), packed.subarray(0, packed.length - 20));
    expect(() => historyStats({ path: at('cut.txt.gz') })).toThrow(UsageError);
  });

  test('zstd is taken off where this Node has it, and elsewhere refused with what to do', async () => {
    const check = (name: string): ReturnType<typeof checkFile> =>
      checkFile(at(name), { format: 'auto', report: 'class', allowCut: false, progress: () => undefined });
    const compress = (zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array }).zstdCompressSync;
    const plain = fs.readFileSync(at('h.txt'));
    const packed = compress?.(plain) ?? Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0); // an empty frame
    fs.writeFileSync(at('h.txt.zst'), packed);
    if (compress === undefined) {
      await expect(check('h.txt.zst')).rejects.toThrow(
        /h\.txt\.zst: got zstd, which Node .* cannot unpack; unpack it first \(zstd -d\), or use Node 22\.15 or later/,
      );
      return;
    }
    expect((await check('h.txt.zst')).levels).toEqual((await check('h.txt')).levels);
    fs.writeFileSync(at('cut.txt.zst'), packed.subarray(0, packed.length - 20));
    await expect(check('cut.txt.zst')).rejects.toThrow(UsageError);
  });

  test('a pipe, which can be read only once, is judged, counted and converted like the file', async () => {
    fs.writeFileSync(at('bad.txt'), 'w(1,1,1,1)\nr(1,2,2,2)\n');
    fs.writeFileSync(at('round.ndjson'), '{"e":"header","format":"anomalist-history","version":1,"tool":"t","seed":"s"}\n');
    execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
    const piped = async <T>(name: string, use: (pipe: string) => T): Promise<T> => {
      const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', at(name), at('pipe')]);
      try {
        return await use(at('pipe'));
      } finally {
        writer.kill();
      }
    };
    const check = (path: string, format = 'auto'): ReturnType<typeof checkFile> =>
      checkFile(path, { format, report: 'class', allowCut: false, progress: () => undefined });
    for (const name of ['bad.txt', 'h.txt', 'h.txt.gz']) {
      expect((await piped(name, check)).levels, name).toEqual((await check(at(name))).levels);
      expect(await piped(name, (path) => historyStats({ path }))).toEqual(historyStats({ path: at(name) }));
    }
    expect((await piped('bad.txt', (pipe) => check(pipe, 'plume'))).levels.map(({ answer }) => answer)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect((await piped('round.ndjson', check)).notes).toEqual([{ code: 'no-rounds', data: {} }]);
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
    expect(await check('no-events.json', '[]', 'elle-json')).toEqual(nothing);
    expect(await check('rules.txt', '---\n===\n', 'test')).toEqual(nothing);
    expect(await check('no-sessions.json', '[]', 'dbcop-json')).toEqual(nothing);
    expect(await check('aborted.txt', 'w(1,1,1,-1)\n')).toEqual(nothing);
    expect(
      await check(
        'failed.edn',
        '{:type :invoke :process 0 :f :txn :value [[:w :x 1]]}\n{:type :fail :process 0 :f :txn :value [[:w :x 1]]}',
      ),
    ).toEqual(nothing);
  });

  test('what is not there, or is a heap of files, is refused', () => {
    expect(() => historyStats({ path: at('nothing') })).toThrow(/no such file/);
    expect(() => historyStats({ path: dir })).toThrow(/expected a folder of \*\.log files/);
  });
});

describe('values that several transactions wrote', () => {
  // new, then old: whichever of the two wrote the 7, it wrote key 2 as well
  const back = 'w(1,7,1,1) w(2,1,1,1) w(1,7,2,2) w(2,2,2,2) r(1,7,3,3) r(2,0,3,3)';
  const forth = back.replace('r(2,0,3,3)', 'r(2,2,3,3)');
  const all = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'];

  test.each([
    ['forth', forth, true],
    ['back', back, false],
  ])('are choices of writers at the weak levels of a file too, of every format: %s', async (name, text, answer) => {
    fs.writeFileSync(at(`${name}.txt`), `${text.replaceAll(' ', '\n')}\n`);
    convertHistory({ from: at(`${name}.txt`), to: at(`${name}.edn`), toFormat: 'elle' });
    for (const file of [at(`${name}.txt`), at(`${name}.edn`)]) {
      const options = { format: 'auto', report: 'class', allowCut: false, progress: () => undefined } as const;
      for (const levels of [undefined, ['rc'] as const]) {
        const checked = await checkFile(file, { ...options, ...(levels && { levels }) });
        expect(checked.levels.filter(({ level }) => all.includes(level))).toEqual((levels ?? all).map((level) => ({ level, answer })));
        expect(checked.anomalies.some(({ class: found }) => found === 'NonMonotonicRead')).toBe(!answer);
      }
    }
  });
});
