/**
 * What statements that change a table itself come to in a run: which of them were committed, and whether a document allows what
 * a transaction that was at work meanwhile was told.
 */
import type { ChangeRow, ChangeTable, Dialect, Level, Program } from '../../core/index.ts';
import { constraintCodes } from './outcome.ts';
import type { Played } from './play.ts';

export interface CommittedChange {
  readonly session: number;
  readonly statement: ChangeTable;
  /** Of its commit in the transcript. */
  readonly at: number;
}

/** In the order of their commits. */
export function committedChanges({ transactions }: Program, { transcript, outcome }: Played): readonly CommittedChange[] {
  return transcript.flatMap(({ session, reply }, at) => {
    if (reply?.ended !== 'committed') return [];
    const { replies } = outcome.transactions[session]!;
    return transactions[session]!.steps.flatMap(({ statement }, step) =>
      statement.kind === 'changeTable' && replies[step] !== undefined && replies[step].error === undefined
        ? [{ session, statement, at }]
        : [],
    );
  });
}

/** The first row that applies to what happened. */
export function changeRowFor(
  program: Program,
  played: Played,
  { tableChanges }: Pick<Dialect, 'tableChanges'>,
  level: Level,
): ChangeRow | undefined {
  if (tableChanges === undefined) return undefined;
  const behind = new Set(
    committedChanges(program, played)
      .filter((change) => isBehindSnapshot(program, played, change))
      .map(({ statement }) => statement.change.does),
  );
  const codes = constraintCodes(played.outcome);
  return tableChanges.rows.find(
    (row) =>
      row.levels.includes(level) &&
      row.changes.some((change) => behind.has(change)) &&
      (row.codes === undefined ? codes.length === 0 : codes.length > 0 && codes.every((code) => row.codes!.includes(code))),
  );
}

/** Another transaction that committed had begun before it was committed, and was told of the table after that. */
function isBehindSnapshot(
  { transactions }: Program,
  { transcript, outcome }: Played,
  { session, statement, at }: CommittedChange,
): boolean {
  return transactions.some(({ steps }, other) => {
    if (other === session || outcome.transactions[other]!.end !== 'committed') return false;
    const begun = transcript.some((entry, i) => entry.session === other && i < at);
    return (
      begun &&
      transcript.some(
        (entry, i) =>
          entry.session === other && i > at && entry.reply !== undefined && steps[entry.step]?.tables.includes(statement.table) === true,
      )
    );
  });
}
