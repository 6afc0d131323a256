/**
 * Fingerprints of random histories: the same after every transaction, row and session has another name and the lines
 * another order, and after statements that are not on the cycle came or went.
 */
import { describe, expect, it } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { historyFromText } from '../../history-text.ts';

/** One anomaly each: the transactions by line, `T1` and `R1` stand for names. */
const TEMPLATES: readonly string[] = [
  'T1: r R1 ,0.0; w R2 ,0.0,T1.1; commit\nT2: r R2 ,0.0; w R1 ,0.0,T2.1; commit',
  'T1: r R1 ,0.0; w R1 ,0.0,T2.1,T1.1; commit\nT2: w R1 ,0.0,T2.1; commit',
  'T1: r R1 ,0.0; r R2 ,0.0,T2.2; commit\nT2: w R1 ,0.0,T2.1; w R2 ,0.0,T2.2; commit',
  'T1: r R1 ,0.0; r R1 ,0.0,T2.1; commit\nT2: w R1 ,0.0,T2.1; commit',
  'T1: w R1 ,0.0,T1.1; w R2 ,0.0,T2.2,T1.2; commit\nT2: w R1 ,0.0,T1.1,T2.1; w R2 ,0.0,T2.2; commit',
  'T1: w R1 ,0.0,T1.1; commit\nT2: w R2 ,0.0,T2.1; commit\nT3: r R1 ,0.0,T1.1; r R2 ,0.0; commit\nT4: r R1 ,0.0; r R2 ,0.0,T2.1; commit',
  'T1: r R1 ,0.0; d1 R2 ,0.0; commit\nT2: r R2 ,0.0; r R3 ,0.0; w R3 ,0.0,T2.1; commit\nT3: r R3 ,0.0; w R1 ,0.0,T3.1; commit',
];

const fingerprints = (text: string): string[] =>
  checkGraph(inferDependencies(historyFromText(text)))
    .anomalies.map(({ fingerprint }) => fingerprint)
    .sort();
const named = (template: string): string =>
  template
    .replaceAll(/T(\d)/g, (_, n: string) => `t${n}`)
    .replaceAll(/\bt(\d)\.(\d)/g, '$1.$2')
    .replaceAll(/R(\d)/g, (_, n: string) => `r${'abcdef'[Number(n)]}`);

function renamed(template: string, random: Random): string {
  const ids = random.shuffle([11, 12, 13, 14, 15, 16, 17]);
  const rows = random.shuffle(['ra', 'rb', 'rc', 'rd', 're']);
  const sessions = random.shuffle([1, 2, 3, 4, 5, 6, 7]);
  const lines = template.split('\n').map((line) =>
    line
      .replace(/^T(\d):/, (_, n: string) => `t${ids[Number(n)]}@s${sessions[Number(n)]}:`)
      .replaceAll(/T(\d)\./g, (_, n: string) => `${ids[Number(n)]}.`)
      .replaceAll(/R(\d)/g, (_, n: string) => rows[Number(n)]!),
  );
  return random.shuffle(lines).join('\n');
}

/** Reads of a row that nobody writes, before any of the operations. */
function padded(text: string, random: Random): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/(?<=[:;]) (?=(?:ru|rs|r|w|d\d) )/g, () => (random.chance(0.5) ? ' r zz ,0.0; ' : ' ')))
    .join('\n');
}

describe('fingerprints of random histories', () => {
  for (const template of TEMPLATES) {
    it(`keep under renaming and with more reads: ${template.replaceAll('\n', ' / ')}`, () => {
      const expected = fingerprints(named(template));
      expect(expected.length, named(template)).toBeGreaterThan(0);
      for (let seed = 0; seed < 60; seed++) {
        const random = createRandom(`fingerprint/${seed}`);
        const text = padded(renamed(template, random), random);
        expect(fingerprints(text), text).toEqual(expected);
      }
    });
  }

  it('differ between these anomalies', () => {
    const all = TEMPLATES.map((template) => fingerprints(named(template)).join(' '));
    expect(new Set(all).size).toBe(TEMPLATES.length);
  });
});
