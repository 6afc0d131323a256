/**
 * The statements of a run that change a table itself: which of them were committed, and whether a document allows the
 * replies to a transaction that was open meanwhile.
 */
import type { ChangeRow, ChangeTable, Dialect, Level, Program } from '../../core/index.ts';
import { constraintCodes } from './outcome.ts';
import type { Played, TranscriptStep } from './play.ts';

export interface CommittedChange {
  readonly session: number;
  readonly statement: ChangeTable;
  /** Position of its commit in the transcript. */
  readonly at: number;
  /** Replies behind this entry may have arrived after the commit. */
  readonly from: number;
}

/** Returns them in the order of their commits. */
export function committedChanges({ transactions }: Program, { transcript, outcome }: Played): readonly CommittedChange[] {
  return transcript.flatMap(({ session, reply }, at) => {
    if (reply?.ended !== 'committed') return [];
    const { replies } = outcome.transactions[session]!;
    const from = lastCertainlyBefore(transcript, at);
    return transactions[session]!.steps.flatMap(({ statement }, step) =>
      statement.kind === 'changeTable' && replies[step] !== undefined && replies[step].error === undefined
        ? [{ session, statement, at, from }]
        : [],
    );
  });
}

/**
 * A session that a commit releases may reply before the commit's own reply arrives. Replies to one send may arrive in any
 * order. A late reply was released by the send before it, or by the one whose own reply stands between.
 */
function lastCertainlyBefore(transcript: readonly TranscriptStep[], at: number): number {
  const sends = transcript.slice(0, at).flatMap(({ state }, i) => (state === 'replies late' ? [] : [i]));
  return sends.at(transcript[at]!.state === 'replies late' ? -2 : -1) ?? -1;
}

/** Returns the first row that applies to the run. */
export function changeRowFor(
  program: Program,
  played: Played,
  { tableChanges }: Pick<Dialect, 'tableChanges'>,
  level: Level,
): ChangeRow | undefined {
  if (tableChanges === undefined) return undefined;
  const changes = committedChanges(program, played);
  const applies = ({ changes: of, when }: ChangeRow): boolean =>
    changes.some((change) => of.includes(change.statement.change.does) && WHEN[when](program, played, change));
  const codes = constraintCodes(played.outcome);
  return tableChanges.rows.find(
    (row) =>
      row.levels.includes(level) &&
      applies(row) &&
      (row.codes === undefined ? codes.length === 0 : codes.length > 0 && codes.every((code) => row.codes!.includes(code))),
  );
}

type Met = (program: Program, played: Played, change: CommittedChange) => boolean;

/**
 * Another transaction that committed had begun before the change was committed. It had replies about the table
 * afterwards, or while both were open.
 */
const WHEN: Readonly<Record<ChangeRow['when'], Met>> = {
  'behind it': (program, played, change) => repliesAbout(program, played, change).some(({ at }) => at > change.from),
  'beside it': besideChange,
  'beside its check': (program, played, change) => checksRows(change.statement) && besideChange(program, played, change),
};

function besideChange(program: Program, played: Played, change: CommittedChange): boolean {
  const begun = played.transcript.findIndex(({ session }) => session === change.session);
  return repliesAbout(program, played, change).some(({ end }) => end > begun);
}

function checksRows({ change }: ChangeTable): boolean {
  return change.does !== 'create index' || change.unique === true;
}

/**
 * Returns replies about the table to other transactions that committed and had begun before the change was committed.
 * `end`: the position of that transaction's end.
 */
function repliesAbout(
  { transactions }: Program,
  { transcript, outcome }: Played,
  { session, statement, at }: CommittedChange,
): readonly { readonly at: number; readonly end: number }[] {
  return transcript.flatMap((entry, i) => {
    const { steps } = transactions[entry.session]!;
    const touches = entry.reply !== undefined && steps[entry.step]?.tables.includes(statement.table) === true;
    if (entry.session === session || !touches || outcome.transactions[entry.session]!.end !== 'committed') return [];
    const own = transcript.flatMap((other, o) => (other.session === entry.session ? [o] : []));
    return own[0]! < at ? [{ at: i, end: own.at(-1)! }] : [];
  });
}
