/**
 * Where a statement looked for rows and dependencies may be missing, its transaction is marked (core/gap.ts). Nothing can be
 * missing, whatever it saw,
 *
 *   - on a row of which no other transaction made an installed version that changes the match: wrp and rwp are drawn to
 *     and from such transactions alone (the initial state is on no cycle),
 *   - on a row without a complete chain: whoever wrote it is marked already (gaps.ts).
 *
 * A look of which nothing is told may be about any version. That a row of the statement's own transaction is among what
 * it looked for adds nothing either: its versions follow one another by ww.
 */
import { ROLE } from '../core/index.ts';
import type { GapName, History } from '../core/index.ts';
import { buildCsr } from '../graph/index.ts';
import type { GapMarks } from './gaps.ts';
import { MATCH, matchOf } from './matches.ts';
import type { RowChains } from './row-chains.ts';
import type { VersionOrder } from './version-order.ts';
import type { Writers } from './writers.ts';

export interface UnseenLooks {
  /** Predicate read p of a statement, on one row of which nothing or not all is drawn. */
  row(s: number, p: number, row: number): void;
  /** On all rows of its table. */
  table(s: number, p: number, why: GapName): void;
}

/** Marks the looks of which the history says that nothing is drawn; returns how to mark the others. */
export function markLooks(history: History, order: VersionOrder, chains: RowChains, writers: Writers, numberOf: Int32Array, marks: GapMarks): UnseenLooks {
  const { predicates, looks, statements, rows, round } = history;
  const byTable = new Map<string, number[]>();
  for (let row = 0; row < rows.count; row++) {
    const list = byTable.get(rows.table[row]);
    if (list === undefined) byTable.set(rows.table[row], [row]);
    else list.push(row);
  }
  const undone = undoneWrites(history, writers);

  /** Did another transaction install a version that changes the match, as far as is known? `match` undefined: of any version. */
  const changed = (reader: number, row: number, match: ((v: number) => number) | undefined): boolean => {
    const [from, to] = [chains.starts[row], chains.starts[row + 1]];
    for (let i = from; i < to; i++) {
      const v = chains.versions[i];
      const writer = order.txn[v];
      if (writer === 0 || writer === reader) continue;
      if (match === undefined) return true;
      const before = i === from ? MATCH.no : match(chains.versions[i - 1]);
      const after = match(v);
      if (before !== after || after === MATCH.unknown) return true;
    }
    return false;
  };
  const ofPredicate = (p: number) => (v: number): number => matchOf(predicates, p, order, numberOf, v);
  const ofLook = (p: number) => (v: number): number => matchOf(looks, p, order, numberOf, v);

  for (let p = 0; p < looks.count; p++) {
    const s = looks.statement[p];
    const match = looks.matches[p] === undefined ? undefined : ofLook(p);
    const of = byTable.get(looks.table[p]) ?? [];
    if (of.some((row) => changed(statements.txn[s], row, match) || (match === undefined && undone.near(s, row)))) marks.mark(statements.txn[s], looks.why[p]);
  }
  const unseen: UnseenLooks = {
    row: (s, p, row) => {
      if (changed(statements.txn[s], row, ofPredicate(p)) || undone.near(s, row)) marks.mark(statements.txn[s], 'which version');
    },
    table: (s, p, why) => {
      if ((byTable.get(predicates.table[p]) ?? []).some((row) => changed(statements.txn[s], row, ofPredicate(p)) || undone.near(s, row))) marks.mark(statements.txn[s], why);
    },
  };
  if (predicates.evaluated === undefined) markUnevaluated();
  else if (!history.complete || round.instrument !== 'exact' || round.level === 'read-uncommitted') for (let p = 0; p < predicates.count; p++) unseen.table(predicates.statement[p], p, 'evaluation');
  return unseen;

  /** Nobody asked the database what the statements looked for. */
  function markUnevaluated(): void {
    for (let s = 0; s < statements.count; s++) if (statements.reads[s] !== undefined) marks.mark(statements.txn[s], 'evaluation');
  }
}

/** Writes that came to nothing: what looks at the row while they may be seen may see them (G1a), and nothing shows it. */
function undoneWrites({ observations, statements, transactions, rows }: History, writers: Writers): { near(s: number, row: number): boolean } {
  const row: number[] = [];
  const writer: number[] = [];
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o];
    if (observations.role[o] === ROLE.read || (statements.undone[s] === 0 && writers.committed(statements.txn[s]))) continue;
    row.push(observations.row[o]);
    writer.push(s);
  }
  // The last reply of a transaction: after a ROLLBACK, or the error that ended it, nothing of it is there.
  const over = new Float64Array(transactions.count).fill(Number.NEGATIVE_INFINITY);
  for (let s = 0; s < statements.count; s++) over[statements.txn[s]] = Number.isNaN(statements.replyAt[s]) ? Number.POSITIVE_INFINITY : Math.max(over[statements.txn[s]], statements.replyAt[s]);
  const byRow = buildCsr(rows.count, row, writer);
  return {
    near: (s, of) => {
      for (let i = byRow.starts[of]; i < byRow.starts[of + 1]; i++) {
        const by = byRow.targets[i];
        if (statements.txn[by] !== statements.txn[s] && statements.invokeAt[by] <= statements.replyAt[s] && over[statements.txn[by]] >= statements.invokeAt[s]) return true;
      }
      return false;
    },
  };
}
