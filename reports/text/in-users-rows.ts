/** Replaces row ids in the checker's sentences by rows as their users know them. */
import type { CycleStep, AnomalyFinding, ReportedStatement } from '../../core/index.ts';
import { rowWords } from './row-words.ts';
import { stepSentence } from './step-words.ts';

type ExplainedFinding = Pick<AnomalyFinding, 'anomaly' | 'statements' | 'rows'>;

/** Writes `orders 42` for `row r0.0_1 of orders`. */
export function explanationOf({ anomaly, ...finding }: ExplainedFinding): string {
  const about = [...anomaly.cycle, ...(anomaly.row === undefined ? [] : [anomaly.row])];
  return about.reduce((text, { table, row }) => inUsersRow(text, finding, table, row), anomaly.explanation);
}

/** Uses the user's words if the edge rests on two statements and one row. */
export function edgeSentence(finding: Pick<AnomalyFinding, 'statements' | 'rows'>, step: CycleStep): string {
  return stepSentence(finding, step) ?? inUsersRow(step.explanation, finding, step.table, step.row);
}

/** Returns `read orders 42 (stock 3)`, `wrote orders 42 (stock 3 to 2)`: each row of the finding once. */
export function rowsOf(finding: Pick<AnomalyFinding, 'rows'>, { versions }: Pick<ReportedStatement, 'versions'>): readonly string[] {
  const words = rowWords(finding);
  const about = new Set((finding.rows ?? []).map(({ row }) => row));
  const explained = versions
    .filter(({ rid }) => about.has(rid))
    .map((version) => {
      const { role, table, rid, list } = version;
      const values = role === 'write' ? words.changed(version) : words.held(version);
      return `${VERBS[role]} ${words.name(table, rid, list.split(',').at(-1))}${values === '' ? '' : ` (${values})`}`;
    });
  return [...new Set(explained)];
}

export const VERBS = { read: 'read', write: 'wrote', delete: 'deleted' } as const;

/** The checker names a row everywhere in this form (core/wording.ts). */
function inUsersRow(text: string, { rows = [] }: Pick<AnomalyFinding, 'rows'>, table: string | undefined, row: string | undefined): string {
  if (table === undefined || row === undefined || !rows.some((each) => each.row === row)) return text;
  return text.replaceAll(`row ${row} of ${table}`, rowWords({ rows }).name(table, row));
}
