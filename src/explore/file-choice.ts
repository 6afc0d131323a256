/** The choice of programs of a workload file: the command line's options, and the words that repeat them. */
import { UsageError } from '../../core/index.ts';
import type { Random } from '../../core/index.ts';
import { FIRST_AIMED, FilePrograms } from '../../schema-gen/index.ts';
import type { Together, WorkloadTemplates } from '../../schema-gen/index.ts';
import { nearest } from '../target/parse-options.ts';
import type { Aim } from './file-source.ts';
import { shellWord } from '../target/target.ts';

export const DEFAULT_DRAWS = 8;

export interface FileChoice {
  readonly file?: string | undefined;
  /** Only programs with a transaction of one of these names run. */
  readonly transaction?: readonly string[] | undefined;
  readonly triples?: boolean | undefined;
  readonly cures?: boolean | undefined;
  readonly draws?: number | undefined;
  readonly scale?: number | undefined;
  /** Number of the only program that runs. */
  readonly program?: number | undefined;
}

export interface ExploredFile {
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
  /** Numbers of the random draws. */
  readonly draws: readonly number[];
  /** Absent: no draw is aimed. */
  readonly aim?: Aim;
}

export function chosenPrograms(
  templates: WorkloadTemplates,
  random: Random,
  { transaction = [], triples = false, draws = DEFAULT_DRAWS, program }: FileChoice,
): ExploredFile {
  const programs = new FilePrograms(random, templates);
  const names = templates.transactions.map(({ name }) => name);
  expectTransactions(transaction, names);
  const aim = { find: random.fork('aimed') };
  if (program !== undefined) {
    const { together, draw } = programs.numbered(program);
    if (draw >= FIRST_AIMED) return { programs, together: [together], draws: [], aim: { ...aim, only: draw - FIRST_AIMED } };
    return { programs, together: [together], draws: [draw] };
  }
  if (draws > FIRST_AIMED) throw new UsageError(`--draws ${draws}: the numbers of programs hold no more than ${FIRST_AIMED} draws.`);
  return {
    aim,
    programs,
    together: programs.together.filter(
      ({ members }) =>
        members.length <= (triples ? 3 : 2) && (transaction.length === 0 || members.some((member) => transaction.includes(names[member]!))),
    ),
    draws: Array.from({ length: draws }, (_, draw) => draw),
  };
}

/** `names`: the names in the file. */
export function expectTransactions(wanted: readonly string[], names: readonly string[]): void {
  const unknown = wanted.find((each) => !names.includes(each));
  if (unknown === undefined) return;
  const near = nearest(unknown, names);
  throw new UsageError(
    `--transaction ${unknown}: the file has no such transaction.${near ? ` Did you mean ${near}?` : ''} Transactions: ${names.join(', ')}.`,
  );
}

export function fileWords({ file, scale, transaction = [], triples = false, cures = false, draws }: FileChoice): readonly string[] {
  if (file === undefined) return [];
  return [
    shellWord(file),
    ...transaction.map((name) => `--transaction ${name}`),
    ...(triples ? ['--triples'] : []),
    ...(cures ? ['--cures'] : []),
    ...(draws === undefined ? [] : [`--draws ${draws}`]),
    ...(scale === undefined ? [] : [`--scale ${scale}`]),
  ];
}
