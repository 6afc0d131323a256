/**
 * Runs programs in a given order with the probes of `run`, each on a schema of its own, and returns the anomalies of the
 * graph. One run is made at a time. Its connections are kept for the next run with the same planner settings, but not for
 * other settings, because a server may have few places.
 */
import { DatabaseError } from '../../core/index.ts';
import type { Anomaly, Dialect, DialectLevel, Program, Fixture } from '../../core/index.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import { withKeptUpdates } from '../judge/assess/kept-updates.ts';
import { Replayer } from '../reproduce/replayer.ts';
import { Interrupted } from '../process/interruption.ts';
import { planSettings } from './plan-settings.ts';
import type { Order } from './play.ts';
import { caseOf } from './program-case.ts';
import { unprobed } from './unprobed.ts';

export interface ProbesOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly signal: AbortSignal;
}

export class Probes {
  private readonly options: ProbesOptions;
  /** `byIndex`: the planner setting of the sessions. */
  private kept: { readonly byIndex: Fixture['byIndex']; readonly replayer: Replayer } | undefined;

  constructor(options: ProbesOptions) {
    this.options = options;
  }

  /** Returns the anomalies that a serializable execution cannot have, or the reason why the run shows nothing, in words. */
  async anomaliesOf(program: Program, order: Order): Promise<readonly Anomaly[] | string> {
    const { level, dialect } = this.options;
    const reason = unprobed(program);
    if (reason !== undefined) return reason;
    try {
      const replayer = await this.replayer(program.fixture.byIndex);
      const testCase = caseOf(program, order);
      const outcome = await replayer.attempt(testCase, { level, images: true });
      if (!outcome.complete) return `with probes it did not come to its end: ${outcome.reason ?? 'no reason given'}`;
      const { anomalies } = assessHistory(outcome.history, { levels: [level.level], report: 'all' }).verdict;
      const serial = anomalies.filter(({ levels }) => levels.includes('serializable'));
      return isAuthored(program) ? serial.map((each) => withKeptUpdates(each, outcome.history, testCase)) : serial;
    } catch (error) {
      if (error instanceof Interrupted) return 'it was interrupted before';
      if (!(error instanceof DatabaseError) || dialect.classifyError(error).class === 'connection') throw error;
      return `the server refuses it with probes: ${error.message}`;
    }
  }

  async close(): Promise<void> {
    const { kept } = this;
    this.kept = undefined;
    await kept?.replayer.close();
  }

  private async replayer(byIndex: Fixture['byIndex']): Promise<Replayer> {
    if (this.kept?.byIndex === byIndex) return this.kept.replayer;
    await this.close();
    const { dialect, url, signal } = this.options;
    const replayer = new Replayer({ name: '', dialect: planned(dialect, byIndex), urls: [url] }, signal);
    this.kept = { byIndex, replayer };
    return replayer;
  }
}

/** True if the statements are a user's own. */
function isAuthored({ transactions }: Program): boolean {
  return transactions.some(({ steps }) => steps.some(({ written }) => written !== undefined));
}

/** Closes the probes after the work. */
export async function withProbes<T>(options: ProbesOptions, work: (probes: Probes) => Promise<T>): Promise<T> {
  const probes = new Probes(options);
  try {
    return await work(probes);
  } finally {
    await probes.close();
  }
}

/** Wraps the dialect: its sessions plan as the fixture demands. */
function planned(dialect: Dialect, byIndex: Fixture['byIndex']): Dialect {
  const settings = planSettings(dialect, byIndex);
  return {
    ...dialect,
    connect: async (url, options) => {
      const connection = await dialect.connect(url, options);
      try {
        for (const sql of settings) await connection.query(sql);
        return connection;
      } catch (error) {
        await connection.end();
        throw error;
      }
    },
  };
}
