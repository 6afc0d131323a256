/**
 * The findings, a line each with its SQL: bugs first, then undocumented ones, numbered as their files are. Documented
 * findings are only numbers in the grid, unless all are asked for.
 *
 *     ! 1  write skew, serializable: s1 SELECT c2 FROM t1 WHERE c1 = 2; s2 UPDATE …
 */
import { clipColumns } from '../../core/index.ts';
import type { ExploreFamily, Finding, PromiseVerdict } from '../../core/index.ts';
import { isProgram, shortName } from '../finding/facts.ts';
import { isKnownBug, knownBy } from '../run/explored.ts';
import { numberedFindings, numberedLines, type NumberedFinding, type NumberedLine } from '../run/figures.ts';
import { FRAME } from '../text/frame.ts';
import type { Paint } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { grouped } from '../text/words.ts';
import { SIGN, STYLE } from './grid.ts';
import type { BriefInput } from './input.ts';

/** Most findings that are shown. Some places are kept for the exploration, however much the rounds found. */
const SHOWN = 10;
const SHOWN_OF_EXPLORED = 3;
/** Most characters of SQL. Longer lines are not read, however wide the terminal is. */
const MOST_SQL = 1_000;

interface Line {
  readonly verdict: PromiseVerdict;
  readonly number: string;
  readonly isExplored: boolean;
  readonly name: string;
  readonly sql: string;
  readonly known?: string | undefined;
}

/** `every`: shows documented findings too, and all findings. */
export function listedLines({ report }: BriefInput, columns: number, paint: Paint, every: boolean): readonly string[] {
  const lines = [...numberedFindings(report), ...numberedLines(report)]
    .map(lineOf)
    .filter(({ verdict }) => every || verdict !== 'documented');
  const shown = every ? lines : withExplored(lines);
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

/** Returns the first lines, with some of the exploration. */
function withExplored(lines: readonly Line[]): readonly Line[] {
  const explored = lines.filter(({ isExplored }) => isExplored).slice(0, SHOWN_OF_EXPLORED);
  const first = lines.slice(0, SHOWN);
  const left = explored.filter((line) => !first.includes(line));
  return [...first.slice(0, SHOWN - left.length), ...left];
}

function lineOf({ n, finding }: NumberedFinding | NumberedLine): Line {
  const isExplored = isProgram(finding);
  const isKnown = finding.known === true;
  const name = `${shortName(finding)}, ${finding.level}`;
  return {
    verdict: finding.judgement.verdict,
    number: String(n),
    isExplored,
    name: isExplored ? `${isKnownBug(finding.family) ? 'known bug: ' : ''}${name}` : `${name}${isKnown ? ', known' : ''}`,
    sql: isExplored || 'statements' in finding ? findingSql(finding) : '',
    known: isExplored ? knownBy(finding.family) : undefined,
  };
}

/** Returns the reduced case as plain SQL if there is one, otherwise the statements of the anomaly, as they were written. */
export function findingSql(finding: Finding): string {
  if (isProgram(finding)) return familySql(finding.family);
  const { reproduction, statements, anomaly } = finding;
  const plain = reproduction?.plain?.steps.filter(({ kind, added }) => !FRAME.has(kind) && !added);
  const onAnomaly = new Set(anomaly.statements);
  const shown = plain ?? statements.filter(({ index }) => onAnomaly.has(index));
  return sessionsSql(shown.map(({ session, sql, own = sql }) => ({ session: session + 1, sql: own })));
}

/** The tool writes the ends of transactions, so they carry no information here. */
const ENDS: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK']);

/** Returns the SQL of the family's example program. */
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
