/**
 * `anomalist replay` executes a finding, a case or a .spec again, or a folder of them as a table of what occurs where.
 * One finding is reported in full: k of N, reduced on request, without instrumentation, at the other levels.
 */
import { Command, Option } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import type { AnomalyFinding, Control, Level, ProgramFinding, Reproduction } from '../../../core/index.ts';
import { anomalyName, findingFileText, findingName, folded, hasCase, reproCase, textTable, transcript } from '../../../reports/index.ts';
import { withPackedCases } from '../../judge/findings/cases.ts';
import { columnsOf } from '../../process/columns.ts';
import { interruption } from '../../process/interruption.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import { collectLevel, collectText, parseNatural, parsePositive } from '../../target/parse-options.ts';
import { Progress } from '../../process/progress.ts';
import { replayedText } from './replayed-text.ts';
import { Replayer, withReproduction } from '../../reproduce/index.ts';
import { readReplayFiles, replayAnomaly, replayFiles } from '../../replay/index.ts';
import { ofRelease, openTarget } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { writeAsked } from '../../process/write-whole.ts';

const DEFAULT_TARGET = 'postgres@18';
const TIMES = { file: 10, folder: 3 } as const;

export function replayCommand(finish: (exit: number) => void): Command<[string]> {
  const command = new Command('replay').argument(
    '<path>',
    'a finding-<n>.json, a case of the corpus, a .spec of isolationtester, or a folder of these',
  );
  command
    .option('--url <url>', 'a server; repeat it for several endpoints of one database', collectText)
    .option(
      '--target <name>',
      `start a server for this (see: anomalist servers; default ${DEFAULT_TARGET}); repeat it to compare servers`,
      collectText,
    )
    .option('--binary <path>', BINARY)
    .option('--level <level>', "a level to replay at; repeatable (default: the finding's own, of a folder all)", collectLevel)
    .option('--times <n>', `how often (default: ${TIMES.file}, in a folder ${TIMES.folder})`, parsePositive)
    .option('--reduce-seconds <n>', 'reduce the finding first, or go on reducing it', parseNatural, 0)
    .option('--out <file>', 'write the finding, with what was seen, as a finding.json')
    .addOption(
      new Option('--fail-on <which>', 'what makes the exit code 1: what the documents rule out, or all that occurs')
        .choices(['bug', 'any'] as const)
        .default('bug' as const),
    )
    .option('--json', 'one JSON object on stdout', false)
    .action(async (path, options) => {
      finish(await replay(path, options));
    });
  return command;
}

interface ReplayOptions {
  readonly url?: readonly string[] | undefined;
  readonly target?: readonly string[] | undefined;
  readonly binary?: string | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly times?: number | undefined;
  readonly reduceSeconds: number;
  readonly out?: string | undefined;
  readonly failOn: 'bug' | 'any';
  readonly json: boolean;
}

async function replay(path: string, options: ReplayOptions): Promise<number> {
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  const names = namedTargets(options);
  const { files, folder } = readReplayFiles(path);
  const [first] = files;
  const whole = !folder && first?.kind === 'finding' ? first.finding : undefined;
  const program = !folder && first?.kind === 'program' ? first.finding : undefined;
  if (!whole && !program && (options.out !== undefined || options.reduceSeconds > 0))
    throw new UsageError('--reduce-seconds and --out are for one finding.json; expected one as the path.');
  if (program && options.reduceSeconds > 0)
    throw new UsageError(
      `--reduce-seconds: ${path} is a finding of a small program, which is not reduced; expected a finding of the rounds.`,
    );
  const progress = new Progress();
  const interrupt = interruption(progress);
  const targets: Target[] = [];
  const replayers: Replayer[] = [];
  try {
    for (const name of names) targets.push(await openTarget(options.url ?? [], name, { signal: interrupt.signal }));
    for (const target of targets) replayers.push(new Replayer(await ofRelease(target), interrupt.signal));
    // Servers are checked before anything is replayed. On a server that cannot be reached nothing would occur.
    for (const replayer of replayers) await replayer.server();
    const times = options.times ?? (folder ? TIMES.folder : TIMES.file);
    const own = whole && options.level === undefined ? [whole.level] : (options.level ?? []);
    if (whole && options.level === undefined && replayers[0]?.level(whole.level))
      return await replayFinding(whole, first!.path, replayers, times, options, interrupt.signal, progress);
    const replayed = await replayFiles(files, { replayers, levels: own, times, signal: interrupt.signal, progress });
    progress.clear();
    if (program && !interrupt.signal.aborted) writeProgram(program, replayed[0]?.cells ?? [], options.out);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ files: replayed })}\n`
        : `${[...(program ? [programText(program), ''] : []), replayedText(replayed)].join('\n')}\n`,
    );
    if (interrupt.signal.aborted) return EXIT.interrupted;
    return exitOfCells(
      replayed.flatMap(({ cells }) => cells),
      options.failOn,
    );
  } finally {
    progress.clear();
    await Promise.all(replayers.map((replayer) => replayer.close()));
    await Promise.all(targets.map((target) => target.close()));
    interrupt.release();
  }
}

/** Prints the steps in their order, as the file has them. */
function programText(finding: ProgramFinding): string {
  if (!hasCase(finding)) return `${findingName(finding)} at ${finding.level}`;
  const plain = reproCase(finding);
  return [
    `${findingName(finding)} at ${finding.level}`,
    '',
    transcript(plain, finding.vendor, false),
    '',
    ...folded(plain.explanation, '', columnsOf(process.stdout)),
  ].join('\n');
}

function writeProgram(finding: ProgramFinding, controls: readonly Control[], out: string | undefined): void {
  if (out === undefined) return;
  const { judgement, ...rest } = finding;
  const text = findingFileText({ ...rest, controls, verdict: judgement.verdict, promise: judgement.row ?? null });
  writeAsked(out, text, 'the finding');
}

/** Returns one name if endpoints are given. */
function namedTargets(options: ReplayOptions): readonly string[] {
  const names = options.target ?? [DEFAULT_TARGET];
  if (options.binary !== undefined && names.length > 1)
    throw new UsageError(
      `--binary is of one target; expected it behind each that has one, such as --target ${names[0]},binary=${options.binary}`,
    );
  return names.map((name) => withBinary(name, options));
}

/** Replays in full on the first target. The others are controls. */
async function replayFinding(
  finding: AnomalyFinding,
  path: string,
  replayers: readonly Replayer[],
  times: number,
  options: ReplayOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<number> {
  const [replayer] = replayers;
  const { reproduction, failure, notRun } = await replayAnomaly(finding, replayers, {
    times,
    reduceSeconds: options.reduceSeconds,
    signal,
    progress,
  });
  progress.clear();
  if (signal.aborted) return EXIT.interrupted;
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ path, target: replayer!.target.name, level: finding.level, rate: reproduction?.rate ?? { tries: replayer!.ran, seen: 0 }, ...(notRun !== undefined && { notRun }), reproduction: reproduction ?? null })}\n`,
    );
  else process.stdout.write(`${findingText(finding, replayer!, notRun, reproduction)}\n`);
  if (options.out !== undefined && reproduction) {
    const { judgement, ...rest } = withPackedCases(withReproduction(finding, reproduction));
    writeAsked(options.out, findingFileText({ ...rest, verdict: judgement.verdict, promise: judgement.row ?? null }), 'the finding');
  }
  if (failure !== undefined) return EXIT.failure;
  if (reproduction === undefined) return notRun === undefined ? EXIT.clean : EXIT.inconclusive;
  return exitOfFinding(reproduction, options.failOn);
}

/** Decides by the finding's k of N. The few tries of the control at its own level repeat them. */
export function exitOfFinding(
  { rate, judgement, controls }: Pick<Reproduction, 'rate' | 'judgement' | 'controls'>,
  failOn: 'bug' | 'any',
): number {
  if (rate.seen > 0 && (failOn === 'any' || judgement.verdict === 'bug')) return EXIT.anomaly;
  return exitOf(
    controls.filter(({ own }) => own),
    failOn,
  );
}

function findingText(
  finding: AnomalyFinding,
  { target: { name: target }, ran }: Replayer,
  notRun: string | undefined,
  reproduction: Reproduction | undefined,
): string {
  const name = `${anomalyName(finding.anomaly)} at ${finding.level}`;
  if (notRun !== undefined) return `${name} on ${target}: could not be replayed: ${notRun}`;
  if (reproduction === undefined)
    return `${name} on ${target}: did not occur again in ${ran} replays (its transactions alone, with all that overlapped them, and in other orders)`;
  const { rate, plain, reduction, controls } = reproduction;
  const lines = [`${name} on ${target}: ${rate.seen} of ${rate.tries}, ${reproduction.judgement.verdict}`];
  if (reduction)
    lines.push(
      `Reduced from ${reduction.before.transactions} transactions and ${reduction.before.statements} statements to ${reduction.after.transactions} and ${reduction.after.statements} in ${reduction.executions} executions, ${reduction.seconds.toFixed(1)} s${reduction.complete ? '' : ' (the budget was spent first: --reduce-seconds)'}`,
    );
  lines.push(`fingerprint ${reproduction.anomaly.fingerprint}`);
  if (plain)
    lines.push(
      '',
      transcript(reproCase(withReproduction(finding, reproduction)), finding.vendor, false),
      '',
      ...folded(plain.explanation, '', columnsOf(process.stdout)),
    );
  if (controls.length > 0)
    lines.push(
      '',
      ...textTable([
        ['target', 'level', 'outcome', 'k of N', 'promise'],
        ...controls.map((each) => [
          each.target,
          each.level,
          each.outcome,
          `${each.rate.seen} of ${each.rate.tries}`,
          each.judgement?.verdict ?? '',
        ]),
      ]),
    );
  return lines.join('\n');
}

/** A table without any decision is inconclusive. A lost server or an unusable case is a failure, unless something was found. */
export function exitOfCells(cells: readonly Control[], failOn: 'bug' | 'any'): number {
  const exit = exitOf(cells, failOn);
  if (exit !== EXIT.clean) return exit;
  if (cells.some(({ code }) => code === 'lost' || code === 'unusable')) return EXIT.failure;
  return cells.every(({ code }) => code === 'not run' || code === 'not judged') ? EXIT.inconclusive : EXIT.clean;
}

function exitOf(cells: readonly Control[], failOn: 'bug' | 'any'): number {
  const occurs = cells.filter(({ code }) => code === 'occurs');
  return (failOn === 'any' ? occurs : occurs.filter(({ judgement }) => judgement?.verdict === 'bug')).length > 0
    ? EXIT.anomaly
    : EXIT.clean;
}
