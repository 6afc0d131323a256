// The table of dialects: URLs find theirs, and each dialect's rows are whole.
import { describe, expect, it } from 'vitest';
import type { AnomalyClass, CycleBase, PromiseVerdict, Shape } from '../../../core/level/index.ts';
import { UsageError } from '../../../core/base/index.ts';
import { DIALECTS, dialectFor, listServers, postgres } from '../../../dialects/index.ts';

const BASES: readonly CycleBase[] = ['G0', 'G1c', 'G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'];
const CLASSES: readonly AnomalyClass[] = [
  ...BASES.flatMap((base) => [base, `${base}-session`, `${base}-realtime`] as const),
  ...(['G1a', 'G1b', 'internal', 'fork', 'duplicate-write', 'thin-air', 'status-mismatch'] as const),
];

/** The first row that speaks of the class; with shapes, a row that names one of them counts too. */
function verdict(level: string, anomaly: AnomalyClass, shapes: readonly Shape[] = []): PromiseVerdict | undefined {
  return postgres.promises.find(
    (row) =>
      row.level === level &&
      row.configuration === undefined &&
      row.classes.includes(anomaly) &&
      (row.shapes === undefined || row.shapes.some((s) => shapes.includes(s))),
  )?.verdict;
}

describe('dialectFor', () => {
  it.each(['postgres://h/db', 'postgresql://u:p@h/db', 'POSTGRES://h/db'])('takes %s for PostgreSQL', (url) => {
    expect(dialectFor(url)).toBe(postgres);
  });

  it.each([
    'oracle://u:secret@h/db',
    'h:5432/db',
    'localhost',
    '',
    'u:secret@h/db',
    'root:secret@tcp(127.0.0.1:3306)/db',
    'host=h password=secret',
    'postgres:/u:secret@h/db',
    'postgres:secret',
    'jdbc:postgresql://u:secret@h/db',
  ])('refuses %j, names the schemes and hides the password', (url) => {
    expect(() => dialectFor(url)).toThrow(UsageError);
    expect(() => dialectFor(url)).toThrow(/postgres:\/\/.*postgresql:\/\//);
    expect(() => dialectFor(url)).not.toThrow(/secret/);
  });

  it('quotes nothing of what has no scheme://', () => {
    expect(() => dialectFor('sesame@h/db')).not.toThrow(/sesame/);
  });
});

/** Of `12`, `18`, `18+standby`, `10.11`: 18. */
function newest(versions: readonly string[]): string | undefined {
  const numbers = (version: string): readonly number[] => version.split('.').map(Number);
  const plain = versions.filter((version) => /^[\d.]+$/.test(version));
  return plain.toSorted((a, b) => (numbers(b)[0] ?? 0) - (numbers(a)[0] ?? 0) || (numbers(b)[1] ?? 0) - (numbers(a)[1] ?? 0))[0];
}

describe('every dialect', () => {
  it.each(DIALECTS)(
    '$name has a promise, with a source and a date, for every class at every level',
    ({ levels, promises, singleRunViolations }) => {
      for (const { level } of levels) {
        for (const anomaly of CLASSES) {
          expect(
            promises.some((r) => r.level === level && r.classes.includes(anomaly) && !r.shapes && !r.configuration && !r.when),
            `${level} ${anomaly}`,
          ).toBe(true);
        }
      }
      for (const row of [...promises, ...singleRunViolations]) {
        expect(row.source).toMatch(/^https:\/\//);
        expect(row.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(row.says.length).toBeGreaterThan(20);
      }
    },
  );

  it.each(DIALECTS.filter(({ ranLive }) => ranLive))(
    '$name is judged by the documents of the version under test, or a row says why an older one holds',
    ({ name, promises, singleRunViolations }) => {
      const tested = newest(listServers().flatMap(({ target }) => (target.startsWith(`${name}@`) ? [target.slice(name.length + 1)] : [])));
      expect(tested).toMatch(/^\d+(\.\d+)*$/);
      for (const row of [...promises, ...singleRunViolations]) {
        // What the address says of its version is the version that the row names.
        const inAddress = /\/docs\/(\d+)\/|refman\/(\d+\.\d+)\/|mysql-(\d+\.\d+)-en\//
          .exec(row.source)
          ?.slice(1)
          .find((each) => each !== undefined);
        expect(row.version.replace(/^MySQL /, ''), row.source).toBe(inAddress ?? 'every');
        if (row.version === tested || row.version === 'every') continue;
        expect(row.holds, `${row.source} is of ${row.version}, tested is ${tested}`).toMatch(/(docs|test)\/[\w/.-]+/);
      }
    },
  );

  it.each(DIALECTS.filter(({ ranLive }) => !ranLive))('$name names the version of what was read', ({ promises }) => {
    for (const { version } of promises) expect(version).toMatch(/^(v?\d+\.\d+|stable|every)$/);
  });

  it.each(DIALECTS)('$name has one row per level and answers to its schemes', (dialect) => {
    expect(new Set(dialect.levels.map((l) => l.level)).size).toBe(dialect.levels.length);
    for (const scheme of dialect.schemes) expect(dialectFor(`${scheme}://h/db`)).toBe(dialect);
  });
});

describe('what PostgreSQL promises', () => {
  it.each([
    ['read-committed', 'G1a', 'bug'],
    ['read-uncommitted', 'G1a', 'bug'],
    ['read-committed', 'G-single-item', 'documented'],
    ['read-committed', 'G2-item', 'documented'],
    ['repeatable-read', 'G-single-item', 'bug'],
    ['repeatable-read', 'G-nonadjacent', 'bug'],
    ['repeatable-read', 'G2-item', 'documented'],
    ['serializable', 'G2', 'bug'],
    ['serializable', 'G2-realtime', 'undocumented'],
  ] as const)('at %s calls %s %s', (level, anomaly, expected) => {
    expect(verdict(level, anomaly)).toBe(expected);
  });

  it('is silent on observed transactions that vanish at READ COMMITTED', () => {
    expect(verdict('read-committed', 'G-single-item', ['read skew', 'observed transaction vanishes'])).toBe('undocumented');
    expect(verdict('read-committed', 'G-single-item', ['lost update'])).toBe('documented');
  });
});

describe('listServers', () => {
  it('says of every server where it comes from or why it cannot be started', () => {
    for (const server of listServers()) {
      expect(server.target).toMatch(/^[a-z]+(@(url|[\d.]+)(\+[a-z]+)?)?$/);
      expect(server.reason).not.toBe('');
    }
  });
});
