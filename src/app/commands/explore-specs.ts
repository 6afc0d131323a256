/**
 * `anomalist explore X.spec`, or a folder of .spec files: their steps are sent as they are. Options that choose programs
 * of the catalogue or of a FILE.sql are refused.
 */
import { EXIT, UsageError } from '../../../core/base/index.ts';
import type { Level } from '../../../core/level/index.ts';
import { rawText } from '../../../reports/index.ts';
import type { RawReport } from '../../../reports/index.ts';
import type { Orders } from '../../explore/explore-program.ts';
import { failsOn } from '../../pipeline/fail-on.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { exploreSpecs } from '../../replay/index.ts';
import { openTarget } from '../../target/target.ts';
import { colour } from '../terminal/colour.ts';

export interface SpecsOptions {
  readonly level?: readonly Level[] | undefined;
  readonly orders: Orders;
  readonly seed: string;
  readonly failOn: FailOn;
  readonly json: boolean;
  /** The words of --target, with a --binary. */
  readonly target: string;
}

/** The options of `explore` that say nothing about .spec files. */
const OTHERS = [
  'duration',
  'programs',
  'shard',
  'program',
  'workers',
  'only',
  'transaction',
  'cures',
  'triples',
  'draws',
  'scale',
  'known',
  'out',
] as const;

/** `given`: the options of the command line. */
export function expectSpecOptions(path: string, given: Readonly<Record<string, unknown>>): void {
  if (given['url'] !== undefined)
    throw new UsageError(
      `explore ${path}: the steps of a .spec are sent as they are and may change anything on a server, so they run only on a server that is started for them; expected --target instead of --url.`,
    );
  const other = OTHERS.find((name) => given[name] !== undefined && given[name] !== false);
  if (other !== undefined) throw new UsageError(`--${other}: expected no such option beside .spec files.`);
  if (given['catalogue'] === 'ddl') throw new UsageError('--catalogue ddl says what is explored: expected no file beside it.');
  if (((given['level'] as readonly Level[] | undefined) ?? []).length > 1)
    throw new UsageError('--level: expected one level beside .spec files.');
}

export async function exploreSpecFiles(path: string, { level, orders, seed, failOn, json, target: word }: SpecsOptions): Promise<number> {
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const target = await openTarget([], word, { signal: interrupt.signal });
    try {
      progress.note(`anomalist: ${target.name}, seed ${seed}`);
      const report = await exploreSpecs(target, { path, level: level?.[0], orders }, { seed, progress, signal: interrupt.signal });
      progress.clear();
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : rawText(report, colour));
      return interrupt.signal.aborted ? EXIT.interrupted : specsExit(report, failOn);
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

/** Returns 1 for the requested findings, 2 if the server failed or a single file is refused, 3 if nothing was compared, else 0. */
export function specsExit({ specs, endedEarly }: RawReport, failOn: FailOn): number {
  const fails = specs.some(({ differences }) =>
    differences.some(({ verdict }) =>
      verdict === 'allowed' ? failOn === 'any' : failsOn(failOn, { verdict, accepted: false, baseline: false }),
    ),
  );
  if (fails) return EXIT.anomaly;
  if (endedEarly !== undefined || (specs.length === 1 && specs[0]!.refused !== undefined)) return EXIT.failure;
  return specs.some(({ compared }) => compared > 0) ? EXIT.clean : EXIT.inconclusive;
}
