/**
 * docs/GLOSSARY.md has the words of the page, each with the page's explanation. Behind them it has the words of the code,
 * each of which still stands in the sources.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { htmlReporter } from '../../../reports/index.ts';
import { files, report } from './fixture.ts';

const ROOT = new URL('../../../', import.meta.url);
const [ofReports = '', ofCode = ''] = readFileSync(new URL('docs/GLOSSARY.md', ROOT), 'utf8').split(/^## Words of the code$/m);

it('every word of the page stands in docs/GLOSSARY.md, and no other', () => {
  const written = files();
  htmlReporter(report(), written.sink);
  const page = written.text('report.html');
  const words = [...page.matchAll(/<div id="term-[^"]*"><dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, word, means]) => `| ${word!} | ${means!} |`,
  );
  expect(words.length).toBeGreaterThan(30);
  expect(entriesOf(ofReports)).toEqual(words);
});

it('every word of the code in docs/GLOSSARY.md still stands in the sources', () => {
  const text = sources();
  const words = entriesOf(ofCode).flatMap((line) => line.split('|')[1]!.split(','));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word) => !patternOf(word.trim()).test(text))).toEqual([]);
  expect(patternOf('some word that nothing names').test(text)).toBe(false);
});

function entriesOf(part: string): readonly string[] {
  return part.split('\n').filter((line) => /^\| (?!word \|)[^-]/.test(line) || /^\| -\w/.test(line));
}

/** Matches `key probe`, `keyProbes`, `key-probe` and `KEY_PROBE`. */
function patternOf(word: string): RegExp {
  return new RegExp(word.replaceAll(/[^\w]+/g, String.raw`[\s_-]*`), 'i');
}

function sources(): string {
  return ['core', 'check', 'graph', 'infer', 'instrument', 'schema-gen', 'dialects', 'reports', 'src']
    .flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path) && !/(?:^|\/)(?:dist|node_modules)\//.test(path))
        .map((path) => readFileSync(fileURLToPath(new URL(`${folder}/${path}`, ROOT)), 'utf8')),
    )
    .join('\n');
}
