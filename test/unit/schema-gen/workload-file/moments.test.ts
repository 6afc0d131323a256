/** Parameters that are moments: some units of time behind a first one, in a list, or behind another parameter. */
import { describe, expect, it } from 'vitest';
import { createRandom, parseParameter, resolveParameter } from '../../../../schema-gen/index.ts';
import type { Parameter } from '../../../../schema-gen/index.ts';

function parameter(words: string, before: readonly Parameter[] = []): Parameter | string {
  const spec = parseParameter(words, 1, 1);
  return typeof spec === 'string' ? spec : resolveParameter(spec, undefined, new Map(before.map((each) => [each.name, each])));
}

function made(words: string, before: readonly Parameter[] = []): Parameter {
  const found = parameter(words, before);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** All that 300 draws give, in order. */
function drawn(parameter: Parameter, values: Readonly<Record<string, string>> = {}): readonly string[] {
  const random = createRandom('moments');
  const known = new Map(Object.entries(values).map(([name, value]) => [name, { type: 'timestamp' as const, value }]));
  return [...new Set(Array.from({ length: 300 }, () => String(parameter.draw(random, known, () => 0))))].toSorted(inOrder);
}

describe('a moment', () => {
  it.each<readonly [string, Parameter['type'], readonly string[]]>([
    [
      "timestamp '2026-01-01 22:00' + 0..3 hours",
      'timestamp',
      ['2026-01-01 22:00:00', '2026-01-01 23:00:00', '2026-01-02 00:00:00', '2026-01-02 01:00:00'],
    ],
    ['timestamp 2026-02-28 + 1..2 days', 'timestamp', ['2026-03-01 00:00:00', '2026-03-02 00:00:00']],
    ["timestamp '2026-01-01 10:00:30' + 1..1 minute", 'timestamp', ['2026-01-01 10:01:30']],
    ["timestamp '2026-01-01T10:00' + 2..3 weeks", 'timestamp', ['2026-01-15 10:00:00', '2026-01-22 10:00:00']],
    ["date '2024-02-28' + 0..2 days", 'date', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ["date '2026-01-01' + 1..2 weeks", 'date', ['2026-01-08', '2026-01-15']],
    ["one of timestamp '2026-01-01 10:00', '2026-01-01 11:30'", 'timestamp', ['2026-01-01 10:00:00', '2026-01-01 11:30:00']],
    ["one of date '2026-01-01', date '2026-01-03'", 'date', ['2026-01-01', '2026-01-03']],
    // As before: a text, which becomes what it stands beside.
    ["one of '2026-01-01 10:00', '2026-01-01 11:00'", 'text', ['2026-01-01 10:00', '2026-01-01 11:00']],
  ])('is drawn by %s', (words, type, values) => {
    const found = made(`:from ${words}`);
    expect([found.type, drawn(found)]).toEqual([type, values]);
    const domain = Array.from({ length: 300 }, (_, n) => String(found.domain!.draw(createRandom(`domain ${n}`))));
    expect([...new Set(domain)].toSorted(inOrder)).toEqual(values);
  });

  it('has the domain of another parameter with the same words', () => {
    const words = "timestamp '2026-01-01 22:00' + 0..3 hours";
    expect(made(`:from ${words}`).domain!.name).toBe(made(`:begin ${words}`).domain!.name);
    expect(made(`:from ${words}`).domain!.name).not.toBe(made(`:from ${words.replace('hours', 'minutes')}`).domain!.name);
  });

  it('lies behind another one', () => {
    const from = made(":from timestamp '2026-01-01 22:00' + 0..3 hours");
    const at = { from: '2026-01-01 22:00:00' };
    expect(drawn(made(':to :from + 1..3 hours', [from]), at)).toEqual([
      '2026-01-01 23:00:00',
      '2026-01-02 00:00:00',
      '2026-01-02 01:00:00',
    ]);
    expect(drawn(made(':to :from + 90 minutes', [from]), at)).toEqual(['2026-01-01 23:30:00']);
    expect(made(':to :from + 90 minutes', [from]).type).toBe('timestamp');
    const day = made(":day date '2026-02-28' + 0..0 days");
    expect(drawn(made(':then :day + 1..2', [day]), { day: '2026-02-28' })).toEqual(['2026-03-01', '2026-03-02']);
    expect(drawn(made(':then :day + 1 week', [day]), { day: '2026-02-28' })).toEqual(['2026-03-07']);
  });

  it.each([
    ["timestamp '2026-02-30 10:00' + 0..3 hours", "got '2026-02-30 10:00', expected a timestamp like 2026-01-31 10:00"],
    ["timestamp '2026-01-01 25:00' + 0..3 hours", "got '2026-01-01 25:00', expected a timestamp"],
    ["timestamp '2026-01-01 10:00' + 0..3 months", 'got the unit months, expected one of seconds, minutes, hours, days, weeks'],
    ["timestamp '2026-01-01 10:00' + 3..2 hours", 'the range 3..2 hours is empty; expected the lower bound first'],
    ["timestamp '2026-01-01 10:00' + 0..900000 hours", '900000 hours are more than a century'],
    ["date '2026-01-01 10:00' + 0..3 days", "got '2026-01-01 10:00', expected a date like 2026-01-31"],
    ["date '2026-01-01' + 0..3 hours", 'got the unit hours for a date, expected days or weeks; or draw a timestamp'],
    ["one of timestamp '2026-01-01 10:00', 'later'", 'expected moments in quotes with commas between them'],
    ["one of date '2026-01-01 10:00'", 'expected moments in quotes'],
  ])('is refused: %s', (words, why) => {
    expect(parameter(`:from ${words}`)).toContain(why);
  });

  it.each([
    [':from + 2', ':from + 2 does not say of what: write :from + 2 hours'],
    [':from + 1..3 months', 'got the unit months'],
    [':from + 1..900000 hours', ':from + 1..900000 hours is more than a century; expected at most 36525 days'],
    [':n + 2 hours', ':n is a whole number, and :n + 2 hours is none: leave hours out'],
    [':day + 2 hours', 'got the unit hours for a date'],
    [':text + 2 hours', ':text is of type text; only a whole number, a date or a timestamp has a successor'],
  ])('has no successor: %s', (words, why) => {
    const before = [
      made(":from timestamp '2026-01-01 22:00' + 0..3 hours"),
      made(":day date '2026-01-01' + 0..3 days"),
      made(':n int 1..2'),
      made(":text one of 'a', 'b'"),
    ];
    expect(parameter(`:to ${words}`, before)).toContain(why);
  });
});
