/** No test has a shorter time limit than vitest.config.ts: a slow machine would fail it, and those limits are met by a hang alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TESTS = fileURLToPath(new URL('../..', import.meta.url));
/** That of vitest.config.ts, in milliseconds. */
const USUAL_MS = 30 * 60_000;
/** A smaller number behind a function is no limit in milliseconds. */
const LEAST_MS = 1_000;

/** The ways in which vitest takes a limit: an option, also on a line of its own, a last argument on one line, or on its own. */
const LIMITS = [
  /\b(?:it|test|describe)\b.*\{.*\btimeout: ([\d_]+)/g,
  /^ *\{ timeout: ([\d_]+) \},$/gm,
  /^ *\}, ([\d_]+)\);$/gm,
  /^ *\},\n *([\d_]+),\n *\);$/gm,
];

function shortLimits(text: string): readonly number[] {
  const given = LIMITS.flatMap((limit) => [...text.matchAll(limit)].map(([, number]) => Number(number!.replaceAll('_', ''))));
  return given.filter((ms) => ms >= LEAST_MS && ms < USUAL_MS);
}

it.each([
  ["  it('works', { timeout: 300_000 }, () => {", [300_000]],
  ["  it(\n    'works',\n    { timeout: 300_000 },\n    () => {", [300_000]],
  ['    }, 120_000);', [120_000]],
  ['      },\n      120_000,\n    );', [120_000]],
  ['    }, 3_600_000);', []],
  ['    }, 400);', []],
])('a limit is seen: %j', (text, limits) => {
  expect(shortLimits(text)).toEqual(limits);
});

it('no test has a shorter one', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.test.ts') && !name.endsWith(basename(import.meta.url)),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => shortLimits(readFileSync(`${TESTS}${file}`, 'utf8')).map((ms) => `${file}: ${ms}`));
  expect(found).toEqual([]);
});
