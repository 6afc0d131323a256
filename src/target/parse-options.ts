/**
 * Parses words of the command line. A refusal says what was given and what was expected, with a suggestion. Every command
 * uses these, so that `--duration 60s` means one thing.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { LEVELS, MIXED, OWN, isLevel, isOwn, withoutOwn } from '../../core/index.ts';
import type { AskedLevel, Level } from '../../core/index.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Collects an option that may be given several times. */
export function collectWord(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

/** Parses `500ms`, `60s`, `10m`, `1h` into milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const value = match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0) : 0;
  if (!(value > 0)) throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected a duration like 500ms, 60s, 10m or 1h.`);
  return value;
}

export function parseNatural(text: string): number {
  return wholeNumber(text, 0);
}

export function parsePositive(text: string): number {
  return wholeNumber(text, 1);
}

/** The integer may have any size, and a sign. */
export function parseInteger(text: string): bigint {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected a whole number like 100.`);
}

/** Most sessions. Servers accept about a hundred connections by default, and a case is made for all sessions at once. */
const MOST_SESSIONS = 256;

export function parseSessions(text: string): number {
  return wholeNumber(text, 1, MOST_SESSIONS);
}

export function parsePercent(text: string): number {
  return wholeNumber(text, 1, 100);
}

export function parsePort(text: string): number {
  return wholeNumber(text, 1, 65_535);
}

/** The message names the same bounds, whatever is wrong with the text. */
function wholeNumber(text: string, least: number, most?: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least && value <= (most ?? value)) return value;
  throw new InvalidArgumentError(
    `Got ${JSON.stringify(text)}; expected a whole number from ${least}${most === undefined ? '' : ` to ${most}`}.`,
  );
}

/** The levels of a run: levels, or `mixed` for transactions at levels of their own. */
export type RunLevel = Level | typeof MIXED;

/** Parses a repeatable --level of a run. */
export function collectRunLevel(text: string, before: readonly RunLevel[] | undefined): readonly RunLevel[] {
  const mixed: readonly RunLevel[] = text === MIXED || before?.includes(MIXED) ? [MIXED] : [];
  const levels = (before ?? []).filter((level) => level !== MIXED);
  return [...(text === MIXED ? levels : collectLevel(text, levels)), ...mixed];
}

/** Parses a repeatable --level. */
export function collectLevel(text: string, before: readonly Level[] | undefined): readonly Level[] {
  const level = levelWord(text);
  return before?.includes(level) ? before : [...(before ?? []), level];
}

export function levelWord(text: string): Level {
  if (text === MIXED) throw new InvalidArgumentError('Levels are mixed by anomalist run alone; expected one level.');
  if (isLevel(text)) return text;
  const near = nearest(
    text,
    LEVELS.map((row) => row.level),
  );
  throw new InvalidArgumentError(
    `There is no level ${JSON.stringify(text)}.${near ? ` Did you mean ${near}?` : ''} Levels: ${LEVELS.map((row) => row.level).join(', ')}.`,
  );
}

/** Parses --level where a history is checked. It may also ask for the transactions' own levels. */
export function collectAsked(text: string, before: readonly AskedLevel[] | undefined): readonly AskedLevel[] {
  const own: readonly AskedLevel[] = text === OWN || (before ?? []).some(isOwn) ? [OWN] : [];
  const levels = withoutOwn(before ?? []);
  return [...(text === OWN ? levels : collectLevel(text, levels)), ...own];
}

export function collectText(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** Returns the word at the smallest edit distance, if it is near enough to be a typing error. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
