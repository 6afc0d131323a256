/**
 * The matrix of every server at hand, cell by cell: what is promised, and that what occurs is exactly what should. Each
 * phenomenon that is allowed at a level must be seen there by one schedule at least, or the schedules show nothing
 * (but where the checker could not tell).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableServers, postgres, startServer } from '../../dialects/index.ts';
import { matrixText } from '../../reports/index.ts';
import type { MatrixCell, MatrixReport } from '../../reports/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { matrixExit } from '../../src/app/commands/matrix.ts';
import { runMatrix } from '../../src/reproduce/matrix/index.ts';
import { Progress } from '../../src/process/progress.ts';
import { openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { EXPECTED, PROMISED_IN_ORDER, expectedSign } from './matrix-expected.ts';
import type { ExpectedMatrix, Token } from './matrix-expected.ts';

const SIGN = { 'must not occur': 'X', documented: 'd', silent: 'u' } as const;
const NO_TABLE =
  'this DBMS was not run live before: compare the matrix above with its documents, and put it into test/db/matrix-expected.ts';
const servers = availableServers();
/** A schedule spread over a primary and its standbys, or a cluster, is another test's business. */
const chosen = servers.chosen.filter(({ target }) => !/galera|\+/.test(target));
const skipped = [
  ...servers.skipped,
  ...servers.chosen.filter((server) => !chosen.includes(server)).map(({ target }) => ({ target, why: 'it has several nodes' })),
];

for (const { target, why } of skipped) describe.skip(`matrix of ${target}, skipped: ${why}`, () => it('', () => {}));

describe.each(chosen.map(({ target }) => target))('matrix of %s', (name) => {
  let target: Target;
  let report: MatrixReport;
  let expected: ExpectedMatrix | undefined;

  beforeAll(async () => {
    target = await openTarget([], name);
    report = await runMatrix({
      target,
      levels: [],
      command: `anomalist matrix --target ${name}`,
      signal: new AbortController().signal,
      progress: new Progress(process.stderr, true),
    });
    expected = EXPECTED.find(
      ({ servers, configuration = {} }) =>
        servers.test(name) && Object.entries(configuration).every(([setting, value]) => report.configuration[setting] === value),
    );
    console.log(matrixText(report));
  });

  afterAll(async () => {
    await target?.close();
  });

  it('is whole, and nothing that is ruled out occurs', () => {
    expect(report.notes).toEqual([]);
    expect(report.endedEarly).toBeUndefined();
    expect(report.ownSettings).toEqual(target.ownSettings);
    const cells = allCells(report);
    expect(
      cells.filter(({ cell }) => cell.verdict !== 'agrees').map(({ where, cell }) => `${where}: ${cell.observed}, ${cell.why}`),
    ).toEqual([]);
    expect(matrixExit(report)).toBe(0);
  });

  it('promises what the documents do, cell by cell', ({ skip }) => {
    skip(expected === undefined && !target.dialect.ranLive, NO_TABLE);
    expect(expected, `test/db/matrix-expected.ts has no table for ${name}`).toBeDefined();
    const differing = allCells(report).flatMap(({ where, cell, schedule }) => {
      const tokens = expected!.promised[cell.level]?.split(' ') as Token[] | undefined;
      const sign = tokens === undefined ? 'no row' : expectedSign(tokens[PROMISED_IN_ORDER.indexOf(schedule.phenomenon)]!, schedule);
      return sign === SIGN[cell.promised] ? [] : [`${where}: ${SIGN[cell.promised]}, expected ${sign}`];
    });
    expect(differing).toEqual([]);
  });

  it('shows what occurs, cell by cell', ({ skip }) => {
    skip(expected === undefined && !target.dialect.ranLive, NO_TABLE);
    const differing = allCells(report).flatMap(({ where, cell, schedule }) => {
      const should = expected?.occurs[cell.level]?.includes(schedule.name)
        ? 'occurs'
        : expected?.unknown?.[cell.level]?.includes(schedule.name)
          ? 'unknown'
          : 'does not occur';
      const did = cell.observed === 'occurs' || cell.observed === 'unknown' ? cell.observed : 'does not occur';
      return did === should ? [] : [`${where}: ${did} (${cell.why}), expected: ${should}`];
    });
    expect(differing).toEqual([]);
  });

  it('shows every phenomenon that is allowed', () => {
    for (const { phenomenon, schedules } of report.phenomena) {
      for (const [l, { level }] of report.levels.entries()) {
        const cells = schedules.map(({ cells: row }) => row[l]!);
        if (!cells.some((cell) => cell.promised === 'documented') || cells.some((cell) => cell.observed === 'unknown')) continue;
        expect(
          cells.some((cell) => cell.observed === 'occurs' && cell.promised === 'documented'),
          `${phenomenon} at ${level}`,
        ).toBe(true);
      }
    }
  });

  it('says of every prevention what prevented it, with a transcript of every statement', () => {
    for (const { where, cell, schedule } of allCells(report)) {
      expect(cell.transcript.filter((line) => line.state !== 'replies').length, where).toBeGreaterThanOrEqual(
        schedule.testCase.sessions.length * 3,
      );
      if (cell.observed === 'error') expect(cell.code, where).toMatch(/^\w{4,5}$/);
      if (cell.observed === 'blocking')
        expect(
          cell.transcript.some((line) => line.state === 'waits'),
          where,
        ).toBe(true);
      if (cell.observed === 'occurs') expect(cell.found, where).not.toEqual([]);
    }
  });
});

describe('a server that goes away', () => {
  const FEW = 4;

  it('leaves the cells that were run, and of the others why they were not: exit 2', async () => {
    const server = await startServer('postgres@18');
    try {
      const schedules = CANONICAL.filter(({ name }) => ['P4', 'G2', 'G1a'].includes(name));
      let begun = 0;
      const progress = new Progress(process.stderr, true);
      // The matrix says so before each cell.
      progress.tell({
        note: () => {},
        words: () => {
          if (begun++ === FEW) server.kill('SIGKILL');
        },
      });
      const report = await runMatrix({
        target: { name: 'postgres@18', dialect: postgres, urls: server.urls, words: '', log: () => server.log(), close: async () => {} },
        levels: ['read-committed', 'repeatable-read', 'serializable'],
        schedules,
        command: '',
        signal: new AbortController().signal,
        progress,
      });
      const cells = allCells(report).map(({ cell }) => cell);
      expect(cells).toHaveLength(9);
      expect(cells.filter(({ notRun }) => !notRun).every(({ observed }) => observed !== 'unknown')).toBe(true);
      const unrun = cells.filter(({ notRun }) => notRun);
      expect(unrun).toHaveLength(9 - FEW);
      for (const { observed, why, verdict, promised } of unrun) {
        expect([observed, why]).toEqual(['unknown', report.endedEarly]);
        expect(verdict).toBe(promised === 'must not occur' ? 'open' : 'agrees');
      }
      expect(report.endedEarly).toMatch(/^the server failed in cell 5 of 9: /);
      expect(matrixExit(report)).toBe(2);
      expect(matrixText(report)).toMatch(/; 5 not run\. INCOMPLETE: ended early after 4 cells: the server failed in cell 5 of 9: .*\n$/);
    } finally {
      await server.stop();
    }
  });

  it('before the first cell is an error alone', async () => {
    const server = await startServer('postgres@18');
    await server.stop();
    const target = { name: 'postgres@18', dialect: postgres, urls: server.urls, words: '', close: async () => {} };
    const plan = { target, levels: [], command: '', signal: new AbortController().signal, progress: new Progress(process.stderr, true) };
    await expect(runMatrix(plan)).rejects.toThrow();
  });
});

describe('a server that promises SERIALIZABLE and runs READ COMMITTED', () => {
  it('contradicts its promises: exit 1, with a replay of the bare statements', async () => {
    const real = await openTarget([], 'postgres@18');
    try {
      const levels = real.dialect.levels.map((level) =>
        level.level === 'serializable' ? { level: level.level, sql: 'READ COMMITTED', inForce: 'read committed' } : level,
      );
      const target = { ...real, dialect: Object.create(real.dialect, { levels: { value: levels } }) as Target['dialect'] };
      const schedules = CANONICAL.filter(({ name }) => ['P4', 'G2', 'G1a'].includes(name));
      const report = await runMatrix({
        target,
        levels: ['serializable'],
        schedules,
        command: '',
        signal: new AbortController().signal,
        progress: new Progress(process.stderr, true),
      });
      const cells = new Map(allCells(report).map(({ schedule, cell }) => [schedule.name, cell]));
      expect([...cells].map(([name, { observed, verdict, bare }]) => [name, observed, verdict, bare])).toEqual([
        ['G1a', 'absent', 'agrees', undefined],
        ['P4', 'occurs', 'contradicts', 'alike'],
        ['G2', 'occurs', 'contradicts', 'alike'],
      ]);
      expect(matrixExit(report)).toBe(1);
      expect(matrixText(report)).toContain('Without instrumentation the same statements wait, fail and answer alike.');
    } finally {
      await real.close();
    }
  });
});

function allCells(report: MatrixReport): readonly { where: string; cell: MatrixCell; schedule: (typeof CANONICAL)[number] }[] {
  return report.phenomena.flatMap(({ schedules }) =>
    schedules.flatMap(({ name, cells }) =>
      cells.map((cell) => ({ where: `${name} at ${cell.level}`, cell, schedule: CANONICAL.find((each) => each.name === name)! })),
    ),
  );
}
