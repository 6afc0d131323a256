import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../core/base/index.ts';
import type { NoteCode } from '../../../../core/history/index.ts';
import { checkFile } from '../../../../src/judge/assess/file.ts';
import type { CheckedFile } from '../../../../src/judge/assess/file.ts';
import { FORMAT_NAMES } from '../../../../src/app/commands/format-names.ts';
import { convertHistory } from '../../../../src/app/commands/convert.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-bad-input-'));
const at = (name: string): string => path.join(dir, name);
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const check = (name: string, format = 'auto', maxMegabytes?: number): Promise<CheckedFile> =>
  checkFile(at(name), {
    format,
    report: 'class',
    allowCut: false,
    progress: () => undefined,
    ...(maxMegabytes === undefined ? {} : { maxMegabytes }),
  });

describe('input that is not as it should be', () => {
  test('a folder with one plume file is that file, and no record of rounds', async () => {
    fs.mkdirSync(at('d1'));
    fs.writeFileSync(at('d1/h.txt'), 'w(1,1,1,1)\nr(1,2,2,2)\n');
    expect((await check('d1')).levels.map(({ answer }) => answer)).toEqual([false, false, false, false, false]);
    await expect(check('d1', 'ndjson')).rejects.toThrow(/got a folder without a history\.ndjson/);
  });

  test('a byte order mark before plume, AWDIT or Elle text changes nothing', async () => {
    const texts = {
      plume: 'w(1,1,1,1)\nr(1,1,2,2)\n',
      test: 'w 1 1\n-----\nr 1 1\n',
      elle: '{:type :invoke :process 0 :f :txn :value [[:w 1 1]]}\n{:type :ok :process 0 :f :txn :value [[:w 1 1]]}\n',
    };
    for (const [format, text] of Object.entries(texts)) {
      fs.writeFileSync(at(`${format}.txt`), text);
      fs.writeFileSync(at(`${format}-marked.txt`), `\uFEFF${text}`);
      expect(await check(`${format}-marked.txt`)).toEqual(await check(`${format}.txt`));
    }
  });

  test('a limit that is not kept is said not to be', async () => {
    const codes = async (name: string): Promise<readonly NoteCode[]> => (await check(name, 'auto', 4000)).notes.map(({ code }) => code);
    expect(await codes('elle.txt')).toContain('memory-limit-ignored');
    expect(await codes('plume.txt')).toEqual([]);
  });

  test('a place that cannot be written is named', () => {
    expect(() => convertHistory({ from: at('plume.txt'), to: at('nowhere/h.edn'), toFormat: 'elle' })).toThrow(
      /nowhere\/h\.edn: cannot be written .*expected a path in a folder that is there/,
    );
  });

  const EMPTY: readonly (readonly [what: string, bytes: Uint8Array])[] = [
    ['no byte', new Uint8Array()],
    ['white space alone', Buffer.from(' \r\n\t\n')],
    ['a byte order mark alone', Buffer.from('\uFEFF\n')],
    ['more white space than is looked at first', Buffer.alloc(100_000, '\n')],
    ['gzip of nothing', gzipSync('')],
  ];
  test.each(EMPTY)('a file of %s is refused as every format, named or not, and to convert', async (_, bytes) => {
    fs.writeFileSync(at('nothing.txt'), bytes);
    for (const format of ['auto', ...FORMAT_NAMES])
      await expect(check('nothing.txt', format), format).rejects.toThrow(/nothing\.txt: got nothing, .*expected a history/);
    await expect(check('nothing.txt', 'ndjson')).rejects.toBeInstanceOf(UsageError);
    for (const fromFormat of ['auto', ...FORMAT_NAMES])
      expect(() => convertHistory({ from: at('nothing.txt'), to: at('more.txt'), fromFormat, toFormat: 'elle' }), fromFormat).toThrow(
        /got nothing/,
      );
    expect(fs.existsSync(at('more.txt'))).toBe(false);
  });

  test('a folder of empty logs is refused', async () => {
    fs.mkdirSync(at('logs'));
    for (const name of ['T1.log', 'T2.log']) fs.writeFileSync(at(`logs/${name}`), '');
    await expect(check('logs')).rejects.toThrow(/got nothing/);
    await expect(check('logs', 'cobra')).rejects.toThrow(/got nothing/);
  });

  const HEADER = { e: 'header', format: 'anomalist-history', version: 1, tool: 't', seed: 's' };
  const ROUND = {
    e: 'round',
    round: 1,
    seed: 's',
    dialect: 'd',
    server: 's',
    level: 'serializable',
    mode: 'stress',
    instrument: 'exact',
    sessions: 2,
    endpoints: [],
    tables: ['t'],
    configuration: {},
  };
  const SELECT = { e: 'invoke', s: 0, t: 1, n: 1, k: 'select', at: 1, sql: 'q', reads: 'exact' };
  const cases: readonly (readonly [what: string, events: readonly object[], message: RegExp])[] = [
    [
      'a level that there is not',
      [{ ...ROUND, level: 'bogus' }],
      /:2: got "level": "bogus" in a round event; expected one of read-uncommitted, /,
    ],
    [
      'an instrument that there is not',
      [{ ...ROUND, instrument: 'bogus' }],
      /:2: got "instrument": "bogus"; expected one of exact, paper, none/,
    ],
    ['key places that are none', [{ ...ROUND, keys: { t: 'a' } }], /:2: got "keys": .* expected an object of lists of whole numbers/],
    [
      'observations that are no triples',
      [ROUND, SELECT, { e: 'ok', s: 0, t: 1, n: 1, at: 2, r: ['t', 'r0.0_0'] }],
      /:4: got "r": .* in a ok event; expected a flat list of triples/,
    ],
    [
      'versions that are no pairs',
      [ROUND, { e: 'versions', table: 't', versions: ['r0.0_0'] }],
      /:3: got "versions": .* expected a flat list of pairs/,
    ],
    [
      'witnesses that are none',
      [ROUND, SELECT, { e: 'predicate', t: 1, n: 1, table: 't', matches: '', when: 5 }],
      /:4: got "when": 5 in a predicate event; expected an object of "tables"/,
    ],
    [
      'contents that there are not',
      [{ ...ROUND, contents: 'words' }],
      /:2: got "contents": "words"; expected one of values, repeated, lists/,
    ],
    ...[
      { do: 'swap', key: 1 },
      { do: 'read', key: -1 },
      { do: 'read', expected: 1 },
      { do: 'read', key: 1, value: 2 },
      { do: 'write', key: 1 },
      { do: 'write', value: 1 },
      { do: 'append' },
      { do: 'append', key: 1, value: 2 },
      { do: 'toString' },
      'read',
      null,
    ].map(
      (op) =>
        [
          `the operation ${JSON.stringify(op)}`,
          [ROUND, { ...SELECT, op }],
          /:3: got "op": .* in a invoke event; expected an object of "do": "read" /,
        ] as const,
    ),
    [
      'one transaction in two sessions',
      [ROUND, SELECT, { ...SELECT, s: 1, n: 2 }],
      /:4: got a statement of transaction 1 in session 1; expected session 0, where the transaction began/,
    ],
  ];
  test.each(cases)('history.ndjson: %s', async (_, events, message) => {
    fs.writeFileSync(at('history.ndjson'), [HEADER, ...events].map((event) => `${JSON.stringify(event)}\n`).join(''));
    await expect(check('history.ndjson')).rejects.toThrow(message);
    await expect(check('history.ndjson')).rejects.toBeInstanceOf(UsageError);
  });
});
