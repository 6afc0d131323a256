/** Whatever fails in or after a round, a server that goes away first of all, costs the run its end, not what it had found. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { isAnomaly } from '../../core/verdict/index.ts';
import type { Report } from '../../core/verdict/index.ts';
import { exitCode } from '../../src/app/commands/run.ts';
import { runPipeline } from '../../src/pipeline/pipeline.ts';
import { Progress } from '../../src/process/progress.ts';
import { Recorder } from '../../src/execute/index.ts';
import { relationalWorkload } from '../../src/workload/relational.ts';
import type { Workload } from '../../src/judge/workload.ts';
import { describeEachProtocol, describeEachServer } from './each-server.ts';
import type { ServerAtHand } from './each-server.ts';
import { answers, until } from './process-watch.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** The first run whose first round found something: which transactions meet is the sessions' race. */
async function finding(run: (seed: string) => Promise<Report>): Promise<Report> {
  for (const seed of raceSeeds(3, 4, 5, 6, 7, 8, 9)) {
    const report = await run(seed);
    if (report.findings.length > 0) return report;
  }
  throw new Error('no seed has a first round with a finding');
}

describeEachProtocol('a run whose server is killed', ({ target, dialect, start }) => {
  /** `after` so many rounds. */
  async function run(after: number, seed: string): Promise<Report> {
    const server = await start();
    const workload = relationalWorkload({
      capabilities: dialect.capabilities,
      mode: 'stress',
      instrument: 'exact',
      sessions: { min: 4, max: 4 },
    });
    let judged = 0;
    const kill = async (): Promise<void> => {
      server.kill('SIGKILL');
      expect(await until(async () => !(await answers(server.url)))).toBe(true);
    };
    if (after === 0) await kill();
    // The pipeline does not wait between its rounds: the next one's first connection does.
    let killed: Promise<void> | undefined;
    const waiting = {
      ...dialect,
      connect: async (...given: Parameters<typeof dialect.connect>) => (await killed, dialect.connect(...given)),
    };
    try {
      return await runPipeline({
        target: { name: target, dialect: waiting, urls: [server.url], words: `--target ${target}`, close: async () => {} },
        levels: ['read-committed'],
        mode: 'stress',
        seed,
        firstRound: 0,
        cases: 5,
        runId: `lost_${after}_${seed}`,
        keep: false,
        known: new Set(),
        reduceSeconds: 0,
        signal: new AbortController().signal,
        progress: new Progress(undefined, true),
        workload: {
          ...workload,
          assess: (history, testCase) => {
            if (++judged === after) killed = kill();
            return workload.assess(history, testCase);
          },
        },
      });
    } finally {
      await server.stop();
    }
  }

  it('after a round reports what that round found, and how it ended', async () => {
    const report = await finding((seed) => run(1, seed));

    expect(report.endedEarly).toMatch(/^round 1, read-committed could not be run: cannot connect/);
    expect(report.levels[0]!.coverage.committed).toBeGreaterThan(0);
    expect(report.findings.length).toBeGreaterThan(0);
    expect(exitCode(report, 'bug', new Set())).toBe(2);
    expect(exitCode(report, 'any', new Set())).toBe(1);
  });

  it('before the first round has nothing to report', async () => {
    await expect(run(0, '3')).rejects.toThrow(DatabaseError);
  });
});

/** Runs of two rounds of which the second fails. To be called where a suite begins. */
function failing({ target, dialect, start }: ServerAtHand) {
  const suite = sharedServer({ target, dialect, start });

  /** `judging` hears of the rounds that were played, from 1. */
  async function run(
    name: string,
    seed: string,
    { judging = () => {}, ...changed }: { readonly judging?: (round: number) => void } & Partial<Workload> = {},
    connect: typeof dialect.connect = (...given) => dialect.connect(...given),
  ): Promise<Report> {
    const workload = relationalWorkload({
      capabilities: dialect.capabilities,
      mode: 'stress',
      instrument: 'exact',
      sessions: { min: 4, max: 4 },
    });
    let judged = 0;
    return runPipeline({
      target: {
        name: target,
        dialect: { ...dialect, connect },
        urls: [suite.server.url],
        words: `--target ${target}`,
        close: async () => {},
      },
      levels: ['read-committed'],
      mode: 'stress',
      seed,
      firstRound: 0,
      cases: 2,
      runId: `fails_${name}_${seed}`,
      historyFile: join(suite.folder, `${name}-${seed}`),
      keep: false,
      known: new Set(),
      reduceSeconds: 0,
      signal: new AbortController().signal,
      progress: new Progress(undefined, true),
      workload: {
        ...workload,
        assess: (history, testCase) => {
          judging(++judged);
          return workload.assess(history, testCase);
        },
        ...changed,
      },
    });
  }
  return run;
}

function expectFirstRound(report: Report, endedEarly: RegExp): void {
  expect(report.endedEarly).toMatch(endedEarly);
  expect(report.notes).toContainEqual({ code: 'ended-early', data: { why: report.endedEarly } });
  expect(report.findings.length).toBeGreaterThan(0);
  expect(report.findings.filter(isAnomaly).every(({ round }) => round === 0)).toBe(true);
  expect(exitCode(report, 'bug', new Set())).toBe(2);
  expect(exitCode(report, 'any', new Set())).toBe(1);
}

describeEachProtocol('a run whose second round cannot connect', (server) => {
  const run = failing(server);

  it('as no endpoint takes writes any more, or by an error of the driver, reports the first', async () => {
    for (const [name, error, words] of [
      ['failover', new UsageError('no endpoint takes writes'), 'no endpoint takes writes$'],
      ['driver', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'reset$'],
    ] as const) {
      const report = await finding((seed) => {
        let over = false;
        return run(name, seed, { judging: () => (over = true) }, async (...given) => {
          if (over) throw error;
          return server.dialect.connect(...given);
        });
      });
      expectFirstRound(report, new RegExp(`^round 1, read-committed could not be run: ${words}`));
    }
  });
});

describeEachServer(
  'a run whose second round fails by an error of ours',
  (server) => {
    const { dialect } = server;
    const run = failing(server);

    it('in its judge reports the first, and calls it a defect of ours', async () => {
      const judging = (round: number): void => {
        if (round === 2) throw new TypeError('an odd history');
      };
      expectFirstRound(
        await finding((seed) => run('assess', seed, { judging })),
        /^round 1, read-committed could not be judged: an odd history \(this is a defect of anomalist/,
      );
    });

    it('as its case cannot be made reports the first', async () => {
      const workload = relationalWorkload({
        capabilities: dialect.capabilities,
        mode: 'stress',
        instrument: 'exact',
        sessions: { min: 4, max: 4 },
      });
      const caseOf: Workload['caseOf'] = (seed) => {
        if (!seed.endsWith('/0')) throw new RangeError('an odd seed');
        return workload.caseOf(seed);
      };
      expectFirstRound(
        await finding((seed) => run('case', seed, { caseOf })),
        /^round 1 could not be made: an odd seed \(this is a defect of anomalist/,
      );
    });

    it('as the disk is full reports the first, whatever closing the history says', async () => {
      const full = new UsageError('cannot write the history');
      const spies: { mockRestore: () => void }[] = [];
      const restore = (): void => {
        for (const spy of spies.splice(0)) spy.mockRestore();
      };
      const judging = (): void => {
        for (const name of ['announce', 'end'] as const) {
          spies.push(
            vi.spyOn(Recorder.prototype, name).mockImplementation(() => {
              throw full;
            }),
          );
        }
      };
      try {
        const report = await finding(async (seed) => {
          restore();
          return run('full', seed, { judging });
        });
        expectFirstRound(report, /^round 1, read-committed could not be run: cannot write the history$/);
      } finally {
        restore();
      }
    });

    it('reports both where only the end of the history could not be written', async () => {
      const spy = vi.spyOn(Recorder.prototype, 'end').mockImplementation(() => {
        throw new UsageError('cannot write the history');
      });
      try {
        const report = await run('end', '3');
        expect(report.endedEarly).toBe('cannot write the history');
        expect(report.levels[0]!.coverage.rounds).toBe(2);
      } finally {
        spy.mockRestore();
      }
    });

    it('is no run where the first one fails: the error is the answer', async () => {
      const judging = (): void => {
        throw new TypeError('an odd history');
      };
      await expect(run('none', '3', { judging })).rejects.toThrow(TypeError);
    });
  },
  { once: true },
);
