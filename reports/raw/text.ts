/** Prints what .spec files showed: one line for each file, the differences in full, and why the rest was not compared. */
import type { NotCompared } from '../../core/verdict/index.ts';
import { notComparedWords } from '../notes/not-compared.ts';
import { folded } from '../text/folded.ts';
import { incompleteWords } from '../text/incomplete.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import type { Paint, Style } from '../text/paint.ts';
import { textTable } from '../text/table.ts';
import { oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import type { RawDifference, RawReport, RawSpec, RawVerdict } from './report.ts';

const STYLES: Readonly<Record<RawVerdict, Style>> = { bug: 'red', undocumented: 'yellow', allowed: 'dim', documented: 'dim' };
const WORST: readonly RawVerdict[] = ['bug', 'undocumented', 'allowed', 'documented'];
/** Most serial orders of one outcome that are shown. */
const MOST_ORDERS = 6;

export function rawText(report: RawReport, paint: Paint = (_, text) => text): string {
  const { specs, endedEarly } = report;
  const lines = [
    `${paint('bold', oneLine(report.tool))}  explore ${oneLine(report.target)}  seed ${oneLine(report.seed)}`,
    ...folded(oneLine(report.server)),
    ...ownSettingLines(report.ownSettings),
    ...folded(
      report.level === undefined
        ? 'The steps were sent as they are. Each order is judged at the level of its own transactions.'
        : `The steps were sent as they are, in sessions whose default is ${report.level}. Orders at another level are not compared.`,
    ),
    '',
    ...textTable([HEAD, ...specs.map(lineOf)]).map((line) => line.trimEnd()),
    '',
    ...folded(totalOf(specs)),
    ...specs.flatMap((spec) => findings(spec, paint)),
    ...allowedLines(specs),
    ...leftOutLines(specs),
    ...refusedLines(specs),
    ...(endedEarly === undefined ? [] : ['', ...folded(incompleteWords(counted(specs.length, 'file'), endedEarly))]),
  ];
  return `${lines.join('\n')}\n`;
}

const HEAD = ['file', 'orders', 'outcomes', 'compared', 'no serial order', 'not compared'];

function lineOf(spec: RawSpec): readonly string[] {
  const { orders, outcomes, compared, differences, notCompared, refused } = spec;
  const verdicts = WORST.flatMap((verdict) => {
    const count = differences.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  const why = [...groups(notCompared)].map(([name, count]) => `${count} ${name}`);
  return [
    nameOf(spec),
    String(orders),
    String(outcomes),
    String(compared),
    verdicts.length === 0 ? '0' : verdicts.join(', '),
    [...why, ...(refused === undefined ? [] : ['refused'])].join(', '),
  ];
}

function totalOf(specs: readonly RawSpec[]): string {
  const sum = (of: (spec: RawSpec) => number): number => specs.reduce((total, spec) => total + of(spec), 0);
  const differing = sum(({ differences }) => differences.reduce((total, { orders }) => total + orders, 0));
  const left = sum(({ notCompared }) => notCompared.reduce((total, { orders }) => total + orders, 0));
  return (
    `${counted(specs.length, 'file')}, ${counted(specs.filter(isRefused).length, 'refused file')}: ` +
    `${counted(
      sum(({ orders }) => orders),
      'order',
    )} run, ${sum(({ compared }) => compared)} compared, of which ${differing} differ from every serial order; ${left} not compared.`
  );
}

/** Each difference that is neither documented nor allowed, in full. */
function findings(spec: RawSpec, paint: Paint): readonly string[] {
  const differences = spec.differences
    .filter(({ verdict }) => verdict === 'bug' || verdict === 'undocumented')
    .toSorted((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict));
  return differences.flatMap((each) => ['', ...differenceLines(spec, each, paint)]);
}

function differenceLines(spec: RawSpec, difference: RawDifference, paint: Paint): readonly string[] {
  const { verdict, level, kind, permutation, serialOrders, orders, rate, row, says } = difference;
  const left = serialOrders.length - MOST_ORDERS;
  const again = rate === undefined ? '' : ` The same order of steps differed in ${rate.seen} of ${rate.tries} runs.`;
  return [
    `${paint(STYLES[verdict], verdict)}  ${oneLine(nameOf(spec))} at ${level}: ${kind}`,
    ...folded(`The steps were sent in this order: ${permutation.map(oneLine).join(' ')}.${again}`, '  '),
    ...(orders > 1 ? folded(`${counted(orders, 'order')} of steps gave this outcome.`, '  ') : []),
    ...serialOrders.slice(0, MOST_ORDERS).flatMap((sentence) => folded(oneLine(sentence), '  ')),
    ...(left > 0 ? [`  ${left} more serial orders differ too.`] : []),
    ...(row === undefined ? (says === undefined ? [] : folded(says, '  ')) : folded(`${row.says} (${row.source})`, '  ')),
  ];
}

/** Other differences are told once for each sentence of the vendor. */
function allowedLines(specs: readonly RawSpec[]): readonly string[] {
  const bySentence = new Map<string, { outcomes: number; files: Set<string> }>();
  for (const spec of specs)
    for (const { verdict, level, row } of spec.differences) {
      if (verdict === 'bug' || verdict === 'undocumented') continue;
      const key =
        verdict === 'documented' && row !== undefined
          ? `documented at ${level}: ${row.says} (${row.source})`
          : `allowed at ${level}, where the documents allow outcomes of some snapshots: the answers alone do not tell whether these are such.`;
      const one = bySentence.get(key) ?? { outcomes: 0, files: new Set() };
      one.outcomes++;
      one.files.add(spec.path);
      bySentence.set(key, one);
    }
  return [...bySentence].flatMap(([sentence, { outcomes, files }]) => [
    '',
    ...folded(`${counted(outcomes, 'outcome')} of ${counted(files.size, 'file')} that no serial order gives, ${sentence}`),
  ]);
}

/** Each group of reasons, with an example. */
function leftOutLines(specs: readonly RawSpec[]): readonly string[] {
  const all = new Map<string, { orders: number; files: Set<string>; example: string }>();
  for (const spec of specs)
    for (const { reason, orders } of spec.notCompared) {
      const one = all.get(groupOf(reason)) ?? { orders: 0, files: new Set(), example: `${nameOf(spec)}: ${notComparedWords(reason)}` };
      one.orders += orders;
      one.files.add(spec.path);
      all.set(groupOf(reason), one);
    }
  if (all.size === 0) return [];
  return [
    '',
    'Not compared, by reason:',
    ...[...all]
      .toSorted(([, a], [, b]) => b.orders - a.orders)
      .flatMap(([name, { orders, files, example }]) =>
        folded(oneLine(`${name}: ${counted(orders, 'order')} of ${counted(files.size, 'file')}, such as ${example}`), '  '),
      ),
  ];
}

function refusedLines(specs: readonly RawSpec[]): readonly string[] {
  const refused = specs.filter(isRefused);
  if (refused.length === 0) return [];
  return ['', 'Refused:', ...refused.flatMap((spec) => folded(oneLine(`${nameOf(spec)}: ${spec.refused!}`), '  '))];
}

function groups(notCompared: RawSpec['notCompared']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reason, orders } of notCompared) counts.set(groupOf(reason), (counts.get(groupOf(reason)) ?? 0) + orders);
  return counts;
}

function groupOf(reason: NotCompared): string {
  return reason.code === 'open-words' ? reason.word : reason.code.replaceAll('-', ' ');
}

function isRefused({ refused }: RawSpec): boolean {
  return refused !== undefined;
}

function nameOf({ path }: RawSpec): string {
  return path.replace(/^.*[\\/]/, '');
}
