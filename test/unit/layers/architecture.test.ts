/** docs/ARCHITECTURE.md names every folder of the house, and no file that is not there. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
/** What a checkout does not have. */
const MADE = ['node_modules', 'dist', 'out', 'coverage', 'bench-out'];

const named = [...PAGE.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path]) => path!);
const rows = [...PAGE.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder!),
);

/** Our own text files. */
function* texts(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (MADE.includes(entry.name) || entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* texts(path);
    else if (entry.isFile() && /\.(ts|mjs|md|sql)$/.test(entry.name)) yield path;
  }
}

describe('the page of the house', () => {
  it('has a row for each folder, and none for another', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !MADE.includes(entry.name),
    );
    expect(rows.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  it('names only files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('links only pages that exist', () => {
    const pages = [...PAGE.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page!);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter((page) => !existsSync(join(ROOT, 'docs', page)))).toEqual([]);
  });
});

describe('what a comment or a page cites', () => {
  it('is in docs/', () => {
    const cited = [...texts('.')].flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const own = path.startsWith('docs') ? [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => `docs/${page!}`) : [];
      return [...own, ...[...text.matchAll(/\bdocs\/[\w-]+\.md/g)].map(([page]) => page)].map((page) => ({ path, page }));
    });
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it('is named by its file, not by a word in capitals', () => {
    const word = new RegExp(
      `\\b(${['DESIGN', 'SEMANTICS', 'LAYOUT', 'TRACKERS', 'KERNELS', 'EXPLORE', 'HOUSE'].join('|')})( \\d|'s|,|:|;|\\)|\\.md)`,
    );
    expect(
      [...texts('.')].filter(
        (path) =>
          !path.startsWith('test/unit/layers') &&
          readFileSync(join(ROOT, path), 'utf8')
            .split('\n')
            .some((line) => /^\s*(\/?\*|\/\/)/.test(line) && word.test(line)),
      ),
    ).toEqual([]);
  });
});
