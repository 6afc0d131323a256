/**
 * The findings of a store as they are told: in brief for a terminal, each with its smallest reproduction on a line, and as data.
 *
 *     ! 1  write skew, serializable, postgres@18: 4 statements, 14 times, since 2026-11-24 21:50
 *          s1 SELECT c2 FROM t1 WHERE c1 = 2; s2 UPDATE …
 */
import { clipColumns, commonName } from '../../core/index.ts';
import type { Finding, PromiseVerdict } from '../../core/index.ts';
import { SIGN, STYLE, counted, findingFile, findingSql, folded, grouped, oneLine } from '../../reports/index.ts';
import type { Paint } from '../../reports/index.ts';
import { releaseName } from './chosen-findings.ts';
import type { StoredFinding } from './store/read-findings.ts';
import type { StoredRelease } from './store/read-coverage.ts';

/** The others are in `--verbose`, `--json` and the export. */
const SHOWN = 10;
const LEAST_COLUMNS = 60;

export interface ToldFindings {
  /** What was asked for, in words: `new since 2026-11-23 00:00`. */
  readonly asked: readonly string[];
  /** Of all of these campaigns, asked for or not. */
  readonly of: readonly StoredFinding[];
  readonly chosen: readonly StoredFinding[];
  readonly releases: readonly StoredRelease[];
}

interface FindingsWords {
  readonly columns: number;
  readonly paint: Paint;
  readonly typed: (command: string) => string;
  /** All that was chosen, what the documents allow too. */
  readonly every: boolean;
}

/** `sqlOf`: of those that are shown. */
export function findingsText(
  { asked, of, chosen, releases }: ToldFindings,
  shown: readonly StoredFinding[],
  sqlOf: (finding: StoredFinding) => string,
  { columns: asWide, paint, typed, every }: FindingsWords,
): string {
  const columns = Math.max(LEAST_COLUMNS, asWide);
  const campaigns = [...new Set(chosen.map(({ campaign }) => campaign))];
  const several = campaigns.length > 1;
  const width = Math.max(1, ...shown.map(({ n }) => String(n).length));
  const left = chosen.length - shown.length;
  return [
    ...folded([`${grouped(chosen.length)} of ${counted(of.length, 'finding')}`, ...asked].join(', '), '', columns),
    ...(shown.length === 0 ? [] : ['']),
    ...shown.flatMap((finding) => {
      const head = `${SIGN[finding.verdict]} ${String(finding.n).padStart(width)}`;
      const indent = ' '.repeat(head.length + 2);
      const [first = '', ...more] = folded(headWords(finding, several), indent, columns - indent.length);
      const sql = oneLine(sqlOf(finding));
      return [
        `${paint(STYLE[finding.verdict], head)}  ${first}`,
        ...more,
        ...(sql === '' ? [] : [clipColumns(`${indent}${sql}`, columns)]),
      ];
    }),
    ...(left === 0 ? [] : [`  ${leftWords(chosen, shown)}${every ? '' : ' (--verbose lists them)'}`]),
    '',
    'They rest on',
    ...releases.map(({ target, release, rounds }) =>
      clipColumns(`  ${target === release ? target : `${target}: ${oneLine(releaseName(release))}`}, ${counted(rounds, 'round')}`, columns),
    ),
    ...(campaigns.length === 0
      ? []
      : ['', 'Next:', ...campaigns.map((campaign) => `    ${typed(`anomalist campaign export ${campaign}`)} --out out`)]),
    '',
  ].join('\n');
}

/** All, where there is room for them; else what the documents allow is a number. */
export function shownOf(chosen: readonly StoredFinding[], every: boolean): readonly StoredFinding[] {
  return every || chosen.length <= SHOWN ? chosen : chosen.filter(({ verdict }) => verdict !== 'documented').slice(0, SHOWN);
}

function headWords({ line, level, target, statements, count, firstSeen, campaign }: StoredFinding, several: boolean): string {
  const size = statements === null ? [] : [counted(statements, 'statement')];
  const where = `${oneLine(commonName(line.anomaly))}, ${level}, ${oneLine(target)}`;
  return `${several ? `${campaign}: ` : ''}${where}: ${[...size, count === 1 ? 'once' : `${grouped(count)} times`, `first seen ${whenWords(firstSeen)}`].join(', ')}`;
}

function leftWords(chosen: readonly StoredFinding[], shown: readonly StoredFinding[]): string {
  const seen = new Set(shown);
  const counts: Partial<Record<PromiseVerdict, number>> = {};
  for (const finding of chosen) if (!seen.has(finding)) counts[finding.verdict] = (counts[finding.verdict] ?? 0) + 1;
  return `and ${Object.entries(counts)
    .map(([verdict, count]) => `${grouped(count)} ${verdict}`)
    .join(', ')}`;
}

/** `2026-11-24 21:50`, by the clock of this machine. */
export function whenWords(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** For scripts; keys are only ever added. */
export function findingsJson({ asked, chosen, releases }: ToldFindings, sqlOf: (finding: StoredFinding) => string): object {
  return {
    asked,
    releases,
    findings: chosen.map((finding) => {
      const { n, campaign, target, dbms, release, settings, level, verdict, count, firstSeen, lastSeen, statements, line, whole } = finding;
      const { anomaly, replay } = line;
      return {
        campaign,
        n,
        file: whole ? findingFile(n) : null,
        target,
        dbms,
        release,
        settings,
        level,
        verdict,
        class: anomaly.class,
        shapes: anomaly.shapes,
        fingerprint: anomaly.fingerprint,
        count,
        firstSeen,
        lastSeen,
        statements,
        sql: sqlOf(finding),
        explanation: anomaly.explanation,
        replay,
      };
    }),
  };
}

/** The statements of a finding's file: of the reduced case, where there is one. */
export function sqlOfFile(text: string | undefined): string {
  return text === undefined ? '' : findingSql(JSON.parse(text) as Finding);
}
