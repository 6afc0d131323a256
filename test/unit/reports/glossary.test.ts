/** docs/GLOSSARY.md has the words of the page, each with what the page says of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { htmlReporter } from '../../../reports/index.ts';
import { files, report } from './fixture.ts';

it('every word of the page stands in docs/GLOSSARY.md, and no other', () => {
  const written = files();
  htmlReporter(report(), written.sink);
  const page = written.text('report.html');
  const words = [...page.matchAll(/<div id="term-[^"]*"><dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, word, means]) => `| ${word!} | ${means!} |`,
  );
  const listed = readFileSync(new URL('../../../docs/GLOSSARY.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!word \|)[^-]/.test(line) || /^\| -\w/.test(line));
  expect(words.length).toBeGreaterThan(30);
  expect(listed).toEqual(words);
});
