/**
 * What explore finds and what the matrix says agree: of each family some class is possible, by the cells of its level, on
 * the server where it was found, unless it has no class and is documented; one that is called a bug is ruled out by a cell.
 * The two come to it by ways of their own: the matrix by schedules that a person wrote, explore by outcomes that no serial
 * order gives.
 */
import { describe, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { EXPECTED, PROMISED_IN_ORDER, expectedSign } from './matrix-expected.ts';
import type { ExpectedMatrix, Token } from './matrix-expected.ts';
import { sharedServer } from './suite-server.ts';

const LEVELS: readonly Level[] = ['read-committed', 'repeatable-read', 'serializable'];
const PROGRAMS = 16;

function matrixOf(target: string, configuration: Readonly<Record<string, string>>): ExpectedMatrix | undefined {
  return EXPECTED.find(
    (each) =>
      each.servers.test(target) && Object.entries(each.configuration ?? {}).every(([setting, value]) => configuration[setting] === value),
  );
}

interface Cell {
  readonly name: string;
  readonly sign: string;
  readonly occurs: boolean;
}

/** By class. */
function cellsOf({ promised, occurs }: ExpectedMatrix, level: Level): ReadonlyMap<string, readonly Cell[]> {
  const tokens = promised[level]!.split(' ') as Token[];
  const cells = new Map<string, Cell[]>();
  for (const schedule of CANONICAL) {
    const { class: anomalyClass } = schedule.purest;
    const sign = expectedSign(tokens[PROMISED_IN_ORDER.indexOf(schedule.phenomenon)]!, schedule);
    const cell = { name: schedule.name, sign, occurs: occurs[level]?.includes(schedule.name) === true };
    cells.set(anomalyClass, [...(cells.get(anomalyClass) ?? []), cell]);
  }
  return cells;
}

/** What a family says against the cells; undefined: nothing. */
function contradiction(
  { named, oneOf, verdict, name, difference }: ExploreFamily,
  cells: ReadonlyMap<string, readonly Cell[]>,
): string | undefined {
  const classes: readonly string[] = named === undefined ? oneOf : [named.class];
  // What a run shows by itself (a statement on no single state) has no class, so no cell speaks of it.
  if (classes.length === 0 && verdict === 'documented') return undefined;
  // Nor of the errors that constraints raise, where the documents do not either; no such family is called a bug.
  if (/constraint is a part/.test(difference) && verdict === 'undocumented') return undefined;
  const concerned = classes.flatMap((each) => cells.get(each) ?? []);
  const what = `${name}: ${classes.join(' or ')}, ${verdict}`;
  if (concerned.length === 0) return `${what}; the matrix has no cell of it`;
  const agrees =
    verdict === 'bug' ? concerned.some(({ sign }) => sign === 'X') : concerned.some(({ sign, occurs }) => sign !== 'X' && occurs);
  return agrees ? undefined : `${what}; the matrix: ${concerned.map((cell) => `${cell.name} ${cell.sign}`).join(', ')}`;
}

function contradictions({ levels }: ExploreReport, matrix: ExpectedMatrix): readonly string[] {
  return levels.flatMap(({ level, families }) => {
    const cells = cellsOf(matrix, level);
    return families.flatMap((family) => {
      const said = contradiction(family, cells);
      return said === undefined ? [] : [`${level}: ${said}`];
    });
  });
}

describeEachServer(
  'explore against the matrix',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    it('finds nothing that the matrix rules out, and what it allows', async ({ skip }) => {
      const report = await exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { level: LEVELS, programs: PROGRAMS, orders: 'pruned', workers: 2 },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      const matrix = matrixOf(target, report.configuration);
      skip(matrix === undefined, `test/db/matrix-expected.ts has no table for ${target}`);
      expect(contradictions(report, matrix!), exploreText(report)).toEqual([]);
      const found = report.levels.map(
        ({ level, families }) => `${level}: ${families.map(({ named }) => named?.class ?? 'unnamed').join(', ')}`,
      );
      console.log(found.join('\n'));
      expect(
        report.levels[0]!.families.some(({ named }) => named !== undefined),
        exploreText(report),
      ).toBe(true);
      // The same families against a matrix that rules all out: what agrees above does not agree with everything.
      const strict = {
        ...matrix!,
        promised: Object.fromEntries(LEVELS.map((level) => [level, PROMISED_IN_ORDER.map(() => 'X').join(' ')])),
      };
      expect(contradictions(report, strict).length).toBeGreaterThan(0);
    });
  },
  { fits: (dialect) => dialect.ranLive },
);

describe('an explored family', () => {
  const cells = cellsOf(
    EXPECTED.find(({ servers }) => servers.test('postgres@18'))!,
    'repeatable-read',
  );
  const family = (more: Partial<ExploreFamily>): ExploreFamily =>
    ({ name: 'n', verdict: 'documented', difference: '', oneOf: [], ...more }) as ExploreFamily;

  it('agrees by one of the classes that its outcome leaves, a bug by a cell that rules it out', () => {
    expect(contradiction(family({ oneOf: ['G2-item', 'G2'] }), cells)).toBeUndefined();
    expect(contradiction(family({ oneOf: ['G-single', 'G0'] }), cells)).toContain('the matrix:');
    expect(contradiction(family({ oneOf: ['G0'], verdict: 'bug' }), cells)).toBeUndefined();
    expect(contradiction(family({ oneOf: ['internal'] }), cells)).toContain('no cell');
    expect(contradiction(family({ oneOf: [] }), cells)).toBeUndefined();
    expect(contradiction(family({ oneOf: [], verdict: 'bug' }), cells)).toContain('no cell');
    const raised = { oneOf: ['internal'], difference: 'no serial order gives this, of which a violated constraint is a part' } as const;
    expect(contradiction(family({ ...raised, verdict: 'undocumented' }), cells)).toBeUndefined();
    for (const verdict of ['documented', 'bug'] as const) expect(contradiction(family({ ...raised, verdict }), cells)).toContain('no cell');
  });
});
