/**
 * Prints a store's findings: in brief for a terminal, each with its smallest reproduction on a line, and as data.
 *
 *     ! 1  write skew, serializable, postgres@18: 4 statements, 14 times, since 2026-11-24 21:50
 *          s1 SELECT c2 FROM t1 WHERE c1 = 2; s2 UPDATE …
 */
import { clipColumns } from '../../../core/base/index.ts';
import { commonName } from '../../../core/level/index.ts';
import type { PromiseVerdict } from '../../../core/level/index.ts';
import type { AnomalyFinding } from '../../../core/verdict/index.ts';
import {
  SIGN,
  STYLE,
  counted,
  explanationOfProgram,
  familyName,
  familySql,
  findingFile,
  findingSql,
  folded,
  grouped,
  oneLine,
} from '../../../reports/index.ts';
import type { Paint } from '../../../reports/index.ts';
import { releaseName } from './chosen-findings.ts';
import { isExplored } from './store/read-everything.ts';
import type { AnyStored } from './store/read-everything.ts';
import type { StoredExplored } from './store/read-explored.ts';
import type { StoredFinding } from './store/read-findings.ts';
import type { StoredRelease } from './store/read-coverage.ts';

/** A terminal shows so many findings. The others are in `--verbose`, `--json` and the export. */
const SHOWN = 10;
const LEAST_COLUMNS = 60;

export interface FindingsList {
  /** The texts describe the selection, such as `new since 2026-11-23 00:00`. */
  readonly asked: readonly string[];
  /** The list has all findings of these campaigns, selected or not. */
  readonly of: readonly AnyStored[];
  readonly chosen: readonly AnyStored[];
  readonly releases: readonly StoredRelease[];
}

interface FindingsWords {
  readonly columns: number;
  readonly paint: Paint;
  readonly typed: (command: string) => string;
  /** Shows everything that was chosen, documented findings too. */
  readonly every: boolean;
}

/** `sqlOf`: returns the statements of a shown finding. */
export function findingsText(
  { asked, of, chosen, releases }: FindingsList,
  shown: readonly AnyStored[],
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
      const sql = oneLine(isExplored(finding) ? familySql(finding.family) : sqlOf(finding));
      return [
        `${paint(STYLE[finding.verdict], head)}  ${first}`,
        ...more,
        ...(sql === '' ? [] : [clipColumns(`${indent}${sql}`, columns)]),
      ];
    }),
    ...(left === 0 ? [] : [`  ${leftWords(chosen, shown)}${every ? '' : ' (--verbose lists them)'}`]),
    '',
    'They rest on',
    ...releases.map(({ target, release, rounds, programs }) =>
      clipColumns(
        `  ${target === release ? target : `${target}: ${oneLine(releaseName(release))}`}, ${counted(rounds, 'round')}${programs === 0 ? '' : `, ${counted(programs, 'program')}`}`,
        columns,
      ),
    ),
    ...(campaigns.length === 0
      ? []
      : ['', 'Next:', ...campaigns.map((campaign) => `    ${typed(`anomalist campaign export ${campaign}`)} --out out`)]),
    '',
  ].join('\n');
}

/** Returns all findings if there is room for them, otherwise those that the documents do not allow. */
export function shownOf(chosen: readonly AnyStored[], every: boolean): readonly AnyStored[] {
  return every || chosen.length <= SHOWN ? chosen : chosen.filter(({ verdict }) => verdict !== 'documented').slice(0, SHOWN);
}

function headWords(stored: AnyStored, several: boolean): string {
  const { level, target, statements, count, firstSeen, campaign } = stored;
  const name = isExplored(stored) ? familyName(stored.family) : commonName(stored.line.anomaly);
  const size = statements === null ? [] : [counted(statements, 'statement')];
  const times = isExplored(stored) ? counted(count, 'program') : count === 1 ? 'once' : `${grouped(count)} times`;
  const where = `${oneLine(name)}, ${level}, ${oneLine(target)}`;
  return `${several ? `${campaign}: ` : ''}${where}: ${[...size, times, `first seen ${whenWords(firstSeen)}`].join(', ')}`;
}

function leftWords(chosen: readonly AnyStored[], shown: readonly AnyStored[]): string {
  const seen = new Set(shown);
  const counts: Partial<Record<PromiseVerdict, number>> = {};
  for (const finding of chosen) if (!seen.has(finding)) counts[finding.verdict] = (counts[finding.verdict] ?? 0) + 1;
  return `and ${Object.entries(counts)
    .map(([verdict, count]) => `${grouped(count)} ${verdict}`)
    .join(', ')}`;
}

/** Prints `2026-11-24 21:50`, in this machine's time zone. */
export function whenWords(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns data for scripts. Keys are only ever added. */
export function findingsJson({ asked, chosen, releases }: FindingsList, sqlOf: (finding: StoredFinding) => string): object {
  return {
    asked,
    releases,
    findings: chosen.map((stored) => (isExplored(stored) ? programJson(stored) : findingJson(stored, sqlOf))),
    // The findings of the explorations once more, whole, for `--known` and for scripts.
    explored: chosen.filter(isExplored).map(exploredJson),
  };
}

function findingJson(finding: StoredFinding, sqlOf: (finding: StoredFinding) => string): object {
  const { n, line, whole, statements } = finding;
  const { anomaly, replay } = line;
  return {
    n,
    kind: 'anomaly',
    file: whole ? findingFile(n) : null,
    ...seenJson(finding),
    class: anomaly.class,
    shapes: anomaly.shapes,
    fingerprint: anomaly.fingerprint,
    statements,
    sql: sqlOf(finding),
    explanation: anomaly.explanation,
    replay,
  };
}

function programJson(explored: StoredExplored): object {
  const { n, finding, statements } = explored;
  const { kind, fingerprint, family, replay } = finding;
  return {
    n,
    kind,
    file: findingFile(n),
    ...seenJson(explored),
    class: family.named?.class ?? null,
    shapes: family.named?.shapes ?? [],
    fingerprint,
    statements,
    sql: familySql(family),
    explanation: explanationOfProgram(finding),
    replay,
  };
}

function exploredJson(explored: StoredExplored): object {
  const { n, family, statements } = explored;
  return { n, ...seenJson(explored), name: familyName(family), statements, sql: familySql(family), family };
}

function seenJson({ campaign, target, dbms, release, settings, level, verdict, count, firstSeen, lastSeen }: AnyStored): object {
  return { campaign, target, dbms, release, settings, level, verdict, count, firstSeen, lastSeen };
}

/** Returns the statements of a finding's file: those of the reduced case, if there is one. */
export function sqlOfFile(text: string | undefined): string {
  return text === undefined ? '' : findingSql(JSON.parse(text) as AnomalyFinding);
}
