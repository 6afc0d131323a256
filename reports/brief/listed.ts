/**
 * What was found, a line each with its SQL: the bugs first, then what the documents are silent about, numbered as their files
 * are; then of what was explored the same. What the documents allow is a number in the grid, unless all is asked for.
 *
 *     ! 1  write skew, serializable: s1 SELECT c2 FROM t1 WHERE c1 = 2; s2 UPDATE …
 */
import type { Finding, ListedFinding, PromiseVerdict, SentKind } from '../../core/index.ts';
import { commonName } from '../../core/index.ts';
import type { ExploreFamily } from '../explore/report.ts';
import { worstFirst } from '../explore/worst-first.ts';
import { isKnownBug, knownBy } from '../run/explored.ts';
import { VERDICTS, numberedFindings, numberedLines } from '../run/figures.ts';
import { clipColumns } from '../../core/index.ts';
import type { Paint } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { grouped } from '../text/words.ts';
import { familyName } from './counts.ts';
import { SIGN, STYLE } from './grid.ts';
import type { Told } from './told.ts';

/** The others are in the report. What was explored has room for some, however much the rounds found. */
const SHOWN = 10;
const SHOWN_OF_EXPLORED = 3;
/** Beyond that nobody reads on in one line, however wide. */
const MOST_SQL = 1_000;

interface Line {
  readonly verdict: PromiseVerdict;
  readonly number: string;
  readonly name: string;
  readonly sql: string;
  readonly known?: string | undefined;
}

/** `every`: those that the documents allow too, and as many as there are. */
export function listedLines(told: Told, columns: number, paint: Paint, every: boolean): readonly string[] {
  const [rounds = [], explored = []] = [ofRounds(told), ofExplored(told)].map((all) =>
    all.filter(({ verdict }) => every || verdict !== 'documented'),
  );
  const lines = [...rounds, ...explored];
  const ofThese = SHOWN - Math.min(SHOWN_OF_EXPLORED, explored.length);
  const shown = worstFirstOf(every ? lines : [...rounds.slice(0, ofThese), ...explored].slice(0, SHOWN));
  const width = Math.max(0, ...shown.map(({ number }) => number.length));
  const more = lines.length - shown.length;
  return [
    ...shown.flatMap(({ verdict, number, name, sql, known }) => {
      const head = `${SIGN[verdict]} ${number.padStart(width)}`;
      const rest = clipColumns(`  ${oneLine(name)}${sql === '' ? '' : `: ${sql}`}`, columns - head.length);
      return [`${paint(STYLE[verdict], head)}${rest}`, ...(known === undefined ? [] : [`${' '.repeat(head.length + 2)}${known}`])];
    }),
    ...(more === 0 ? [] : [`  ${grouped(more)} more in the report`]),
  ];
}

/** Of one verdict those of the rounds, which have files. */
function worstFirstOf(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
}

function ofRounds({ report }: Told): readonly Line[] {
  const line = (finding: Finding | ListedFinding, n: number): Line => ({
    verdict: finding.judgement.verdict,
    number: String(n),
    name: `${commonName(finding.anomaly)}, ${finding.level}${finding.known === true ? ', known' : ''}`,
    sql: 'statements' in finding ? findingSql(finding) : '',
  });
  return [...numberedFindings(report), ...numberedLines(report)].map(({ n, finding }) => line(finding, n));
}

/** Its page has no numbers: they go on here in the order of the page. */
function ofExplored({ explored }: Told): readonly Line[] {
  const all = (explored?.levels ?? []).flatMap((level) => worstFirst(level).map((family) => ({ level: level.level, family })));
  return all
    .toSorted((a, b) => VERDICTS.indexOf(a.family.verdict) - VERDICTS.indexOf(b.family.verdict))
    .map(({ level, family }, i) => ({
      verdict: family.verdict,
      number: `e${i + 1}`,
      name: `${isKnownBug(family) ? 'known bug: ' : ''}${familyName(family)}, ${level}`,
      sql: familySql(family),
      known: knownBy(family),
    }));
}

const FRAME: ReadonlySet<SentKind> = new Set(['begin', 'commit', 'rollback', 'probe']);

/** The reduced case as plain SQL where there is one, else the statements that the anomaly rests on, as they were written. */
export function findingSql({ reproduction, statements, anomaly }: Finding): string {
  const plain = reproduction?.plain?.steps.filter(({ kind, added }) => !FRAME.has(kind) && !added);
  const onAnomaly = new Set(anomaly.statements);
  const shown = plain ?? statements.filter(({ index }) => onAnomaly.has(index));
  return sessionsSql(shown.map(({ session, sql, own = sql }) => ({ session: session + 1, sql: own })));
}

/** How a transaction ends is written so by us, and says nothing here. */
const ENDS: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK']);

/** Of the program that is its example. */
export function familySql({ example }: ExploreFamily): string {
  return sessionsSql(example.lines.filter(({ sql, state }) => !ENDS.has(sql) && state !== 'replies late'));
}

function sessionsSql(statements: readonly { readonly session: number; readonly sql: string }[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const { session, sql } of statements) {
    const text = `s${session} ${oneLine(sql)}`;
    texts.push(text);
    length += text.length;
    if (length > MOST_SQL) break;
  }
  return texts.join('; ');
}
