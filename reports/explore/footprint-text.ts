/** Prints footprints for a terminal: the suspects, each with its statements, then what every form looked at and noted. */
import type { NotedLock } from '../../core/dialect/index.ts';
import type { Paint } from '../text/paint.ts';
import { folded } from '../text/folded.ts';
import { incompleteWords } from '../text/incomplete.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import { textTable } from '../text/table.ts';
import { terminated } from '../text/terminated.ts';
import { oneLine } from '../text/visible.ts';
import { counted, levelWords } from '../text/words.ts';
import type { FootprintLevel, FootprintReport, LookDependency, LookFootprint } from './footprints.ts';

/** Most fixtures that a suspect names. */
const FIXTURES = 4;

export function footprintsText(report: FootprintReport, { color }: { readonly color?: Paint } = {}): string {
  const paint: Paint = color ?? ((_, text) => text);
  const { forms, lacking } = report;
  const lines = [
    `${paint('bold', oneLine(report.tool))}  explore --footprints ${oneLine(report.target)}`,
    ...folded(oneLine(report.server)),
    ...ownSettingLines(report.ownSettings),
    ...(lacking.length === 0 ? [] : folded(`SQL features skipped because the server lacks them: ${lacking.join(', ')}`)),
    ...(forms.ran === forms.all || report.endedEarly !== undefined
      ? []
      : folded(`${forms.all - forms.ran} of ${counted(forms.all, 'way')} to read could not be asked.`)),
    ...report.levels.flatMap((level) => ['', ...levelLines(level, paint)]),
    ...(report.endedEarly === undefined ? [] : ['', ...folded(incompleteWords(far(report), report.endedEarly))]),
  ];
  return `${lines.join('\n')}\n`;
}

function far({ levels }: FootprintReport): string {
  return counted(
    levels.reduce((sum, { looks }) => sum + looks.length, 0),
    'look',
  );
}

function levelLines({ level, reads, looks, lost }: FootprintLevel, paint: Paint): readonly string[] {
  const unaltered = looks.filter(({ dependsOn }) => dependsOn.length === 0).length;
  const suspects = groupedBy(
    looks.filter(({ suspect }) => suspect),
    (look) => JSON.stringify([look.form, dependencyWords(look.dependsOn.filter(({ noted }) => !noted))]),
  );
  const number = suspects.reduce((sum, group) => sum + group.length, 0);
  const forms = new Set(suspects.map(([one]) => one!.form)).size;
  return [
    paint('bold', levelWords(level)),
    ...folded(
      `${counted(looks.length, 'look')}, each alone in one session${reads === 'locking' ? ' (plain reads left out: they use a snapshot)' : ''}. ` +
        `No change of the catalogue alters the answer of ${unaltered}, so it is not known what these depend on.`,
    ),
    ...(lost.length === 0 ? [] : folded(`The server rolled back ${counted(lost.length, 'look')} before the locks were read.`)),
    ...folded(
      number === 0
        ? 'No suspects: something was noted down for every change that alters an answer.'
        : `${counted(number, 'suspect')} of ${counted(forms, 'form')}: the answer depends on a change for which nothing was noted down. A suspect is no finding, because nothing ran beside it.`,
    ),
    ...suspects.flatMap((group) => ['', ...suspectLines(group, paint)]),
    '',
    ...textTable([['way to read', 'plan', 'fixtures', 'looked at', 'noted'], ...tableRows(looks)]),
  ];
}

function suspectLines(group: readonly LookFootprint[], paint: Paint): readonly string[] {
  const [one] = group;
  const [missed] = one!.dependsOn.filter(({ noted }) => !noted);
  const fixtures = [...new Set(group.map(({ fixture }) => fixture))];
  const more = fixtures.length > FIXTURES ? `; and ${fixtures.length - FIXTURES} more` : '';
  return [
    `${paint('yellow', 'suspect')}  ${one!.form}`,
    ...folded(`in ${fixtures.slice(0, FIXTURES).join('; ')}${more}`, '  ').map((line) => (line.startsWith(' ') ? line : `  ${line}`)),
    ...one!.sql.flatMap((sql) => terminated(oneLine(sql)).map((line) => `    ${line}`)),
    `  changed by ${missed!.change}, of which nothing was noted down:`,
    ...missed!.sql.flatMap((sql) => terminated(oneLine(sql)).map((line) => `    ${line}`)),
    `  noted: ${notedWords(one!.noted) || 'nothing'}`,
  ];
}

/** A row for each form, and one more for each plan that differs. Fixtures that differ share a row. */
function tableRows(looks: readonly LookFootprint[]): readonly (readonly string[])[] {
  const ofPlans = groupedBy(looks, ({ form, plan }) => JSON.stringify([form, plan])).map((group) => ({
    form: group[0]!.form,
    plan: group[0]!.plan || '-',
    fixtures: new Set(group.map(({ fixture }) => fixture)).size,
    lookedAt: alternatives(group.map(({ dependsOn }) => dependencyWords(dependsOn))),
    noted: alternatives(group.map(({ noted }) => shape(noted))),
  }));
  return groupedBy(ofPlans, ({ form, lookedAt, noted }) => JSON.stringify([form, lookedAt, noted])).map((group) => [
    group[0]!.form,
    group.map(({ plan }) => plan).join(', '),
    String(group.reduce((sum, { fixtures }) => sum + fixtures, 0)),
    group[0]!.lookedAt,
    group[0]!.noted,
  ]);
}

const alternatives = (words: readonly string[]): string => [...new Set(words.map((each) => each || '-'))].toSorted().join(' | ');

const ALTERED: Readonly<Record<LookDependency['tables'][number]['rows'], string>> = { gone: 'rows', new: 'gaps', other: 'values' };

/** The kinds of dependencies, such as `rows, gaps`. */
function dependencyWords(dependsOn: readonly LookDependency[]): string {
  return [...new Set(dependsOn.flatMap(({ tables }) => tables.map(({ rows }) => ALTERED[rows])))].toSorted().join(', ');
}

/** The kinds of locks, without the names of tables and indexes. */
function shape(noted: readonly NotedLock[]): string {
  return [...new Set(noted.map(({ kind, index, mode }) => `${index === undefined ? '' : 'index '}${kind} ${mode}`))].toSorted().join(', ');
}

function notedWords(noted: readonly NotedLock[]): string {
  return noted
    .map(({ table, index, kind, mode }) => `${kind} of ${index === undefined ? table : `${table} by ${index}`} (${mode})`)
    .join(', ');
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}
