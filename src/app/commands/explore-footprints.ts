/** `anomalist explore --footprints`: what the server noted down for each way to read of the catalogue. */
import type { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/base/index.ts';
import { footprintsText } from '../../../reports/index.ts';
import type { FootprintReport } from '../../../reports/index.ts';
import { footprintsOfTarget } from '../../explore/footprints/footprints.ts';
import type { FootprintChoice } from '../../explore/footprints/footprints.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { withBinary } from '../../target/binary-option.ts';
import { openTarget } from '../../target/target.ts';
import { colour } from '../terminal/colour.ts';

export const FOOTPRINTS =
  'instead of programs: each way to read alone in one session, what its answer depends on and what the server noted down for it (locks, tracked reads); with --level, --only and --json';

interface FootprintOptions extends FootprintChoice {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly json: boolean;
}

/** The words that `--footprints` takes beside it, as `explore` names its options. */
const BESIDE: ReadonlySet<string> = new Set(['footprints', 'url', 'target', 'binary', 'level', 'only', 'json']);

/** Returns the names of the options that stand on the command line. A file is one of them. */
export function givenTo(command: Pick<Command, 'options' | 'getOptionValueSource'>, file: string | undefined): readonly string[] {
  const names = command.options.map((option) => option.attributeName()).filter((name) => command.getOptionValueSource(name) === 'cli');
  return file === undefined ? names : ['file', ...names];
}

function expectFootprintOptions(given: readonly string[]): void {
  const other = given.find((name) => !BESIDE.has(name));
  if (other === undefined) return;
  throw new UsageError(
    `--footprints runs each way to read of the catalogue once: ${other === 'file' ? 'a file' : `--${other}`} does not apply; expected --level, --only or --json beside it.`,
  );
}

/** `given`: the names of the options on the command line. */
export async function exploreFootprints(options: FootprintOptions, defaultTarget: string, given: readonly string[]): Promise<number> {
  expectFootprintOptions(given);
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  const progress = new Progress();
  const interrupt = interruption(progress);
  const { signal } = interrupt;
  try {
    const target = await openTarget(options.url === undefined ? [] : [options.url], withBinary(options.target ?? defaultTarget, options), {
      signal,
    });
    try {
      const report = await footprintsOfTarget(target, options, { progress, signal });
      progress.clear();
      process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : footprintsText(report, { color: colour }));
      return signal.aborted ? EXIT.interrupted : footprintsExit(report);
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

/** Suspects are no findings, so they do not count. */
export function footprintsExit({ levels }: FootprintReport): number {
  return levels.length > 0 && levels.every(({ looks }) => looks.length > 0) ? EXIT.clean : EXIT.inconclusive;
}
