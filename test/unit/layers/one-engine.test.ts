/**
 * One session engine: what begins, ends or sends a transaction's statements on a driver's connection stands in src/execute/.
 * Everybody else sends through its sessions, so that the level, the savepoints, the errors and the protocol's status are
 * treated alike. A connection that only watches, resets or reads tables has `query` for it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENGINE = 'src/execute/';
/** Calls that only a connection has. */
const OF_A_CONNECTION = /(?<!\bthis)\.(begin|beginWith|commit|rollback|queryProtocol|transactionStatus)\??\.?\(/;

function secondEngines(files: readonly (readonly [path: string, text: string])[]): readonly string[] {
  return files.flatMap(([path, text]) =>
    path.startsWith(ENGINE)
      ? []
      : text.split('\n').flatMap((line, i) => (OF_A_CONNECTION.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
  );
}

test('no folder but src/execute drives a transaction on a connection', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [`src/${path}`, readFileSync(join(ROOT, 'src', path), 'utf8')] as const);
  expect(files.length).toBeGreaterThan(300);
  expect(files.some(([path, text]) => path.startsWith(ENGINE) && OF_A_CONNECTION.test(text))).toBe(true);
  expect(secondEngines(files)).toEqual([]);
});

test('a planted second engine is refused, by its line', () => {
  const planted = ['const connection = await dialect.connect(url, {});', 'await connection.begin(level);', 'await connection.commit();'];
  expect(secondEngines([['src/explore/planted.ts', planted.join('\n')]])).toEqual([
    'src/explore/planted.ts:2: await connection.begin(level);',
    'src/explore/planted.ts:3: await connection.commit();',
  ]);
});
