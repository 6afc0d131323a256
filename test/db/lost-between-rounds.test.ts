/** A server that goes away between two rounds costs the run its end, not what it had found. */
import { expect, it } from 'vitest';
import { DatabaseError } from '../../core/index.ts';
import type { Report } from '../../core/index.ts';
import { exitCode } from '../../src/commands/run.ts';
import { runPipeline } from '../../src/pipeline.ts';
import { Progress } from '../../src/progress.ts';
import { relationalWorkload } from '../../src/workload.ts';
import { describeEachServer } from './each-server.ts';
import { answers, until } from './process-watch.ts';

describeEachServer('a run whose server is killed', ({ target, dialect, start }) => {
  /** `after` so many rounds. */
  async function run(after: number): Promise<Report> {
    const server = await start();
    const workload = relationalWorkload({ capabilities: dialect.capabilities, mode: 'stress', instrument: 'exact', sessions: 4 });
    let judged = 0;
    const kill = async (): Promise<void> => {
      server.kill('SIGKILL');
      expect(await until(async () => !(await answers(server.url)))).toBe(true);
    };
    if (after === 0) await kill();
    // The pipeline does not wait between its rounds: the next one's first connection does.
    let killed: Promise<void> | undefined;
    const waiting = { ...dialect, connect: async (...given: Parameters<typeof dialect.connect>) => (await killed, dialect.connect(...given)) };
    try {
      return await runPipeline({
        target: { name: target, dialect: waiting, urls: [server.url], words: `--target ${target}`, close: async () => {} },
        levels: ['read-committed'], mode: 'stress', seed: '3', firstRound: 0, cases: 5, runId: `lost_${after}`, keep: false, known: new Set(), reduceSeconds: 0,
        signal: new AbortController().signal, progress: new Progress(undefined, true),
        workload: {
          ...workload,
          judge: (history, testCase) => {
            if (++judged === after) killed = kill();
            return workload.judge(history, testCase);
          },
        },
      });
    } finally {
      await server.stop();
    }
  }

  it('after a round reports what that round found, and how it ended', async () => {
    const report = await run(1);

    expect(report.endedEarly).toMatch(/^round 1, read-committed could not be run: cannot connect/);
    expect(report.levels[0]!.coverage.committed).toBeGreaterThan(0);
    expect(report.findings.length).toBeGreaterThan(0);
    expect(exitCode(report, 'bug', new Set())).toBe(2);
    expect(exitCode(report, 'any', new Set())).toBe(1);
  });

  it('before the first round has nothing to report', async () => {
    await expect(run(0)).rejects.toThrow(DatabaseError);
  });
});
