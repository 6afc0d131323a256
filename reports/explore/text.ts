/** Prints an exploration for a terminal: each family with one example small enough to type in, then the enumerated orders. */
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploreClass, ExploreExample, ExploreFamily, ExploredLine } from '../../core/verdict/index.ts';
import type { Paint, Style } from '../text/paint.ts';
import { judgedPrograms, knownBy, verdictWord } from '../run/explored.ts';
import { terminated } from '../text/terminated.ts';
import { oneLine } from '../text/visible.ts';
import type { ExploreLevel, ExploreReport } from './report.ts';
import { folded } from '../text/folded.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import { incompleteWords } from '../text/incomplete.ts';
import { counted } from '../text/words.ts';
import { worstFirst } from './worst-first.ts';
import { pairLines, pairOrders } from './pair-lines.ts';
import { ownBreaksLines, togetherLines } from './together.ts';

const STYLES: Readonly<Record<PromiseVerdict, Style>> = { bug: 'red', undocumented: 'yellow', documented: 'dim' };
const WORST: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];
/** Most families of one verdict that are shown whole. One documented family is enough, unless it is about the user's own transactions. */
const SHOWN: Readonly<Record<PromiseVerdict, number>> = { bug: 20, undocumented: 5, documented: 1 };
const SHOWN_OF_FILE: Readonly<Record<PromiseVerdict, number>> = { bug: 20, undocumented: 20, documented: 20 };
const FORMS = 8;
/** Most serial orders: all of three transactions. */
const ANSWERS = 6;
/** Replies of longer statements are printed below them, so that they are visible. */
const WIDE = 48;

/** Returns a command of the report as the reader types it. */
type Typed = (command: string) => string;

export function exploreText(report: ExploreReport, options: { readonly color?: Paint; readonly typed?: Typed } = {}): string {
  const paint: Paint = options.color ?? ((_, text) => text);
  const lines = [
    `${paint('bold', oneLine(report.tool))}  explore ${oneLine(report.target)}  seed ${oneLine(report.seed)}, ${report.workers} ${report.workers === 1 ? 'worker' : 'workers'}`,
    ...folded(oneLine(report.server)),
    ...ownSettingLines(report.ownSettings),
    ...(report.lacking.length === 0 ? [] : folded(`SQL features skipped because the server lacks them: ${report.lacking.join(', ')}`)),
    ...(report.unjudged ?? []).flatMap((each) => folded(`invariant not asked: ${oneLine(each)}`)),
    ...report.levels.flatMap((level) => ['', ...levelLines(level, paint, options.typed)]),
    ...togetherLines(report, paint),
    ...(report.endedEarly === undefined ? [] : ['', ...folded(exploredIncomplete(report, report.endedEarly))]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the last line of an unfinished exploration, so that a level's "nothing" is not the last word. */
export function exploredIncomplete({ levels }: ExploreReport, why: string): string {
  const [programs, orders] = (['programs', 'orders'] as const).map((what) => levels.reduce((sum, level) => sum + level[what], 0));
  return incompleteWords(`${counted(programs!, 'program')}, ${counted(orders!, 'order')}`, why);
}

function levelLines(level: ExploreLevel, paint: Paint, typed?: Typed): readonly string[] {
  const most = level.together === undefined ? SHOWN : SHOWN_OF_FILE;
  const shown = WORST.flatMap((verdict) => {
    const all = level.families.filter((family) => family.verdict === verdict);
    const whole = all.filter((family, i) => !isKnownBefore(family, all.slice(0, i))).slice(0, most[verdict]);
    const rest = all.filter((family) => !whole.includes(family));
    return [
      ...whole.flatMap((family) => [...familyLines(family, paint, typed), '']),
      ...(rest.length === 0 ? [] : [...rest.map((family) => `  ${title(family, paint)}`), '']),
    ];
  });
  return [...shown, ...ownBreaksLines(level), ...exploreSummary(level)];
}

/** A known case of the corpus is shown whole only once. */
function isKnownBefore({ known }: ExploreFamily, before: readonly ExploreFamily[]): boolean {
  return known !== undefined && before.some((other) => other.known?.file === known.file);
}

function title(family: ExploreFamily, paint: Paint): string {
  const { name, named, breach, verdict, programs, example } = family;
  const known = knownBy(family);
  const what = named === undefined ? (breach ?? '') : classText(named);
  return `${paint(STYLES[verdict], verdictWord(family))}  ${what === '' ? '' : `${what}  `}${oneLine(name)}: ${programs} ${programs === 1 ? 'program' : 'programs'}, first program ${example.program}${known === undefined ? '' : `, ${known}`}`;
}

export function classText({ class: anomalyClass, shapes }: ExploreClass): string {
  return shapes.length === 0 ? anomalyClass : `${anomalyClass} (${shapes.join(', ')})`;
}

function classLines({ named, unnamed = '', seen, oneOf }: ExploreFamily): readonly string[] {
  if (seen !== undefined) return seen.flatMap((each) => folded(oneLine(each), '  '));
  if (named === undefined) return folded(`no class is named: ${oneLine(unnamed)}; by its outcome one of ${oneOf.join(', ')}`, '  ');
  return [
    ...folded(`${classText(named)} in ${named.times} of ${named.of} runs of this order with probes: ${oneLine(named.explanation)}`, '  '),
    ...named.edges.flatMap((edge) => folded(oneLine(edge), '    ')),
  ];
}

function againWords({ times, of, raced }: ExploreExample): string {
  return raced
    ? `again in ${times} of ${of} raced rounds in a fresh fixture (it is raced again until it was seen three times)`
    : `again in a fresh fixture ${times} of ${of} times`;
}

/** A statement of a race has no reply yet when others are sent, and nobody knows whether it waits. */
function stateWords({ raced }: ExploreExample, { state, reply }: ExploredLine): string {
  if (state === 'waits') return raced ? 'sent' : 'waits';
  return `${state === 'replies late' ? (raced ? 'reply: ' : 'goes on: ') : ''}${oneLine(reply)}`;
}

export function familyLines(family: ExploreFamily, paint: Paint, typed: Typed = (command) => command): readonly string[] {
  const { example, difference, says, source, forms } = family;
  const width = Math.max(...example.lines.map(({ sql }) => sql.length));
  const others = Object.entries(forms);
  return [
    title(family, paint),
    ...folded(`${difference}; ${againWords(example)}`, '  '),
    ...classLines(family),
    ...folded(`${oneLine(says)}${source === '' ? '' : ` ${oneLine(source)}`}`, '  '),
    '  by hand, once:',
    ...example.setup.flatMap((sql) => terminated(oneLine(sql)).map((line) => `    ${line}`)),
    '  and in each session first:',
    ...example.sessions.map((sql) => `    ${oneLine(sql)};`),
    `    -- BEGIN stands for (${example.begin.level}): ${oneLine(example.begin.sql)}`,
    ...(example.transactions.length === 0
      ? []
      : [`    ${example.transactions.map((name, session) => `S${session + 1} is ${oneLine(name)}`).join(', ')}`]),
    ...example.start.map((table) => `    ${oneLine(table)}`),
    ...(example.raced ? ['    the sessions raced: these lines show when each step was sent and answered, and do not repeat it'] : []),
    ...example.lines.flatMap((line) => {
      const { session, sql } = line;
      const answer = `-- ${stateWords(example, line)}`;
      return width > WIDE
        ? [`    S${session}  ${oneLine(sql)}`, `          ${answer}`]
        : [`    S${session}  ${oneLine(sql).padEnd(width)}  ${answer}`];
    }),
    ...example.left.map((table) => `    left: ${oneLine(table)}`),
    ...example.breaks.map((name) => `    this breaks the invariant ${oneLine(name)}, which every serial order keeps`),
    ...example.answers
      .slice(0, ANSWERS)
      .flatMap(({ order, differs }) =>
        folded(`${order.map((session) => `S${session}`).join(', then ')}: ${differs.map(oneLine).join('; ')}`, '    '),
      ),
    ...(example.answers.length > ANSWERS ? [`    and ${example.answers.length - ANSWERS} more orders, each with other answers`] : []),
    ...(others.length > 1
      ? folded(
          `shown by ${others
            .slice(0, FORMS)
            .map(([form, programs]) => `${oneLine(form)} (${programs})`)
            .join(', ')}${others.length > FORMS ? `, and ${others.length - FORMS} more` : ''}`,
          '  ',
        )
      : []),
    `  ${oneLine(typed(example.command))}`,
  ];
}

/** Prints the enumerated orders, which are the evidence behind "nothing seen". */
export function exploreSummary(level: ExploreLevel): readonly string[] {
  const {
    programs,
    orders,
    whole,
    sampled,
    cut,
    seconds,
    coverage,
    outcomes,
    dropped,
    unjudged = {},
    unconfirmed,
    untried,
    families,
    statements,
    dependencies,
  } = level;
  const ended = programs - whole - sampled;
  const of = level.rounds === undefined ? '' : ` of ${level.rounds} ${level.rounds === 1 ? 'round' : 'rounds'}`;
  const what = level.control
    ? `a control: one transaction after the other${level.raced ? '' : ', each order twice'}`
    : level.raced
      ? `the sessions raced, round after round; ${counted(level.raced.inside, 'outcome')} from inside a statement: neither a serial order nor any order of whole statements gives ${level.raced.inside === 1 ? 'it' : 'them'}`
      : `${whole} programs enumerated whole, ${sampled} sampled${ended > 0 ? `, ${ended} not to the end` : ''}; ${cut} equivalent orders skipped`;
  return [
    ...pairLines(level),
    ...(programs === 0 && pairOrders(level) > 0
      ? []
      : folded(
          `${level.level}: ${programs} ${programs === 1 ? 'program' : 'programs'}${of}, ${orders} ${level.raced ? 'rounds' : 'orders'} (${what}), ${outcomes} outcomes, ${seconds.toFixed(1)} s`,
        )),
    ...(coverage.pairs === 0
      ? []
      : [`coverage of pairs ${percent(coverage.covered, coverage.pairs)} (${coverage.covered} of ${coverage.pairs})`]),
    ...Object.entries(dropped).flatMap(([why, count]) => folded(`dropped: ${counted(count, 'program')}: ${oneLine(why)}`)),
    ...Object.entries(unjudged).flatMap(([why, count]) =>
      folded(`not compared with serial orders, only checked for single-run violations: ${counted(count, 'program')}: ${oneLine(why)}`),
    ),
    ...statementLines(statements),
    ...dependencyLines(dependencies, families),
    ...(unconfirmed === 0
      ? []
      : folded(
          `${counted(unconfirmed, 'difference')} not seen again in a fresh fixture, or with serial orders that do not repeat themselves: not counted`,
        )),
    ...(untried === 0
      ? []
      : folded(
          `${counted(untried, 'difference')} not tried again, because the exploration ended before or enough of their kind were tried: not counted`,
        )),
    families.length === 0
      ? nothingWords(level)
      : [...new Set(worstFirst(level).map(verdictWord))]
          .map((word) => `${families.filter((family) => verdictWord(family) === word).length} ${word}`)
          .join(', '),
  ];
}

function nothingWords(level: ExploreLevel): string {
  if (level.unconfirmed + level.untried > 0) return 'no finding was confirmed';
  return judgedPrograms(level) === 0 && pairOrders(level) === 0 ? 'no outcome was judged' : 'a serial order explains every outcome';
}

function percent(part: number, whole: number): string {
  return `${Math.floor((1000 * part) / whole) / 10} %`;
}

function statementLines({ judged, unjudged }: ExploreLevel['statements']): readonly string[] {
  const left = Object.entries(unjudged);
  if (judged === 0 && left.length === 0) return [];
  const whys = left.map(([why, count]) => `${count} not checked, as ${oneLine(why)}`);
  const checked = `${counted(judged, 'statement')} checked one by one against the states ${judged === 1 ? 'it' : 'they'} may have read`;
  return folded([checked, ...whys].join('; '));
}

function dependencyLines({ asked, unclear }: ExploreLevel['dependencies'], families: ExploreLevel['families']): readonly string[] {
  if (asked === 0) return [];
  const hidden = families.filter(({ oracle }) => oracle === 'dependencies').length;
  const whys = Object.entries(unclear).map(([why, count]) => `${count} gave no answer, as ${oneLine(why)}`);
  const found = `${counted(hidden, 'kind')} of anomaly that no reply shows`;
  return folded([`${counted(asked, 'order')} with a serial explanation repeated with probes: ${found}`, ...whys].join('; '));
}
