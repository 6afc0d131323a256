/** The words that all forms of a comparison share. */
import type { PromiseVerdict } from '../../core/index.ts';
import { incompleteWords } from '../text/incomplete.ts';
import { counted, grouped } from '../text/words.ts';
import type { CompareLevel, CompareLine, CompareReport, CompareVariant } from './report.ts';

const SAYS: Readonly<Record<PromiseVerdict, string>> = {
  bug: "no serial order gives it, and the vendor's documentation rules that out",
  undocumented: "no serial order gives it, and the vendor's documentation does not settle that",
  documented: "no serial order gives it, as the vendor's documentation allows",
};

/** Returns the letter of a variant in a table's cell. */
export function letterOf(variant: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + (variant % 26));
}

/** Three or more neighbours are named by the first and the last. */
export function namesOf({ targets }: Pick<CompareReport, 'targets'>, places: readonly number[]): string {
  const runs: number[][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1) === place - 1) last.push(place);
    else runs.push([place]);
  }
  const name = (place: number): string => targets[place]!.name;
  return runs.flatMap((run) => (run.length > 2 ? [`${name(run[0]!)} to ${name(run.at(-1)!)}`] : run.map(name))).join(', ');
}

/** Returns how it ended there, and the verdict. */
export function variantWords({ kind }: Pick<CompareLine, 'kind'>, { ends, verdict, example }: CompareVariant): string {
  const errors = ends === 'no error' ? 'no transaction fails' : ends === 'deadlock' ? 'a deadlock' : `errors: ${ends}`;
  const waits = example.lines.filter(({ state }) => state === 'waits').length;
  const waiting =
    kind === 'waits' ? `; ${waits === 0 ? 'no statement waits' : waits === 1 ? 'one statement waits' : `${waits} statements wait`}` : '';
  return `${errors}${verdict === undefined ? (ends === 'deadlock' ? '' : '; a serial order gives it') : `; ${SAYS[verdict]}`}${waiting}`;
}

export function titleOf({ kind, skeleton, programs, orders }: CompareLine): string {
  return `${kind === 'waits' ? 'who waits: ' : ''}${skeleton}: ${counted(programs, 'program')}, ${counted(orders, 'order')}`;
}

export function levelSentence({ level, programs, orders, lines }: CompareLevel, servers: number): string {
  const found = lines.length === 0 ? 'nothing differs' : counted(lines.length, 'difference');
  return `${level}: ${found} in ${counted(programs, 'program')}, ${counted(orders, 'order')} on each of ${servers} servers`;
}

/** Returns the last line of a comparison that did not come to its end, so that a level's "nothing differs" is not the last word. */
export function comparedIncomplete(levels: readonly CompareLevel[], why: string): string {
  const [programs, orders] = (['programs', 'orders'] as const).map((what) => levels.reduce((sum, level) => sum + level[what], 0));
  return incompleteWords(`${counted(programs!, 'program')}, ${counted(orders!, 'order')}`, why);
}

/** Returns a line for each part that the report omits. */
export function leftOut({ notCompared, unconfirmed, untried }: CompareLevel): readonly string[] {
  return [
    ...Object.entries(notCompared).map(([why, count]) => `not compared: ${grouped(count)} ${why}`),
    ...(unconfirmed === 0 ? [] : [`${counted(unconfirmed, 'order')} differed once and not each time again: not counted`]),
    ...(untried === 0 ? [] : [`${counted(untried, 'order')} differed and were not tried again: not counted`]),
  ];
}
