/** Which findings of a store are new, and which one release alone has. */
import { describe, expect, it } from 'vitest';
import { isNews, onlyOn, releaseName } from '../../../../../src/scale/campaign/chosen-findings.ts';
import type { StoredFinding } from '../../../../../src/scale/campaign/store/read-findings.ts';

const PG12 = { target: 'postgres@12', release: 'PostgreSQL 12.22 on x86_64-pc-linux-gnu, compiled by gcc (Ubuntu 18.04) 7.5.0, 64-bit' };
const PG18 = { target: 'postgres@18', release: 'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc (Ubuntu 18.04) 7.5.0, 64-bit' };
const MARIADB = { target: 'mariadb@11.8', release: '11.8.3-MariaDB-1 Debian 18.4' };
const RELEASES = [PG12, PG18, MARIADB].map((server) => ({ ...server, rounds: 10, programs: 0 }));
const NOBODY = new Set<string>();

interface Made extends Partial<Pick<StoredFinding, 'level' | 'verdict' | 'reduced'>> {
  readonly on?: { readonly target: string; readonly release: string };
  readonly seen?: string;
  readonly print?: string;
}

function finding({
  on = PG18,
  seen = '2026-11-24T10:00:00Z',
  print = 'a',
  level = 'serializable',
  verdict = 'bug',
  reduced = null,
}: Made): StoredFinding {
  return {
    key: `${on.target} ${level} ${print}`,
    n: 1,
    campaign: 'nightly',
    ...on,
    dbms: 'postgres',
    settings: {},
    level,
    verdict,
    count: 1,
    firstSeen: new Date(seen),
    lastSeen: new Date(seen),
    statements: null,
    line: {
      id: 'f1',
      target: on.target,
      level,
      round: 0,
      anomaly: {
        class: 'G2-item',
        shapes: ['write skew'],
        levels: ['serializable'],
        cycle: [],
        transactions: [],
        statements: [],
        explanation: '',
        fingerprint: `G2-item|${print}`,
      },
      judgement: { verdict },
      count: 1,
      transactions: [],
      replay: 'anomalist run',
    },
    word: `${level} ${print}`,
    whole: false,
    reduced,
  };
}

describe('news', () => {
  it('is what was first seen at the date or later', () => {
    const since = new Date('2026-11-24T00:00:00Z');
    const seen = ['2026-11-23T23:59:59.999Z', '2026-11-24T00:00:00Z', '2026-11-24T10:00:00Z'];
    expect(seen.map((at) => isNews(finding({ seen: at }), { since, known: NOBODY }))).toEqual([false, true, true]);
    expect(isNews(finding({ seen: seen[0]! }), { known: NOBODY })).toBe(true);
  });

  it('is not what is known by its fingerprint, or by that of its reduced case, with the same verdict', () => {
    const known = new Set(['bug G2-item|a']);
    expect(isNews(finding({}), { known })).toBe(false);
    expect(isNews(finding({ print: 'b' }), { known })).toBe(true);
    expect(isNews(finding({ print: 'b', reduced: 'G2-item|a' }), { known })).toBe(false);
    expect(isNews(finding({ verdict: 'undocumented' }), { known })).toBe(true);
  });
});

describe('on one release only', () => {
  const [both12, both18] = [finding({ on: PG12 }), finding({ on: PG18 })];
  const [only18, otherLevel] = [finding({ print: 'b' }), finding({ level: 'repeatable-read' })];
  const all = [both12, both18, only18, otherLevel];
  const chosen = (on: string | true): readonly StoredFinding[] => all.filter(onlyOn(all, on, RELEASES));

  it('is what no other release has at the same level', () => {
    expect(chosen(true)).toEqual([only18, otherLevel]);
    expect(chosen('postgres@18')).toEqual([only18, otherLevel]);
    expect(chosen('postgres@12')).toEqual([]);
  });

  it('takes a release by its target, its version, or how that begins, and by no other number', () => {
    for (const word of ['PostgreSQL 18.4', '18.4', '18', PG18.release]) expect(chosen(word)).toEqual([only18, otherLevel]);
    for (const word of ['8.4', '4', '18.04', '7.5.0', 'PostgreSQL 1', '.'])
      expect(() => chosen(word)).toThrow('nothing in this store ran there; expected one of postgres@12 (PostgreSQL 12.22)');
  });

  it('counts as one place what the word names: two minors of 18 are one', () => {
    const minor = { target: 'postgres@18', release: 'PostgreSQL 18.3 on x86_64' };
    const pair = [finding({}), finding({ on: minor })];
    const releases = [...RELEASES, { ...minor, rounds: 1, programs: 0 }];
    expect(pair.filter(onlyOn(pair, '18', releases))).toEqual(pair);
    expect(pair.filter(onlyOn(pair, '18.4', releases))).toEqual([]);
    expect(pair.filter(onlyOn(pair, true, releases))).toEqual([]);
  });
});

it('names a release by what it says as far as its first number', () => {
  expect([PG18, MARIADB, { release: 'unknown' }].map(({ release }) => releaseName(release))).toEqual([
    'PostgreSQL 18.4',
    '11.8.3-MariaDB-1',
    'unknown',
  ]);
});
