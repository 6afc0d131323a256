/**
 * Marks the reads whose dependencies may be missing. If nothing is known about a predicate read or key probe, its
 * transaction is marked (core/unobserved.ts). If its condition is known, the pairs of transactions between which a
 * dependency may be missing are collected. Nothing can be missing, whatever the read saw,
 *
 *   - on a row of which no other transaction installed a version that changes the match: wrp and rwp are drawn to
 *     and from those transactions alone (the initial state is on no cycle),
 *   - on a row without a complete chain: its writers are marked already (unobserved.ts).
 *
 * A read about which nothing is known may concern any version. A row of the statement's own transaction adds nothing
 * either: its versions follow one another by ww.
 */
import type { UnobservedName, History } from '../../core/index.ts';
import type { UnobservedMarks } from './unobserved.ts';
import { MATCH, matchOf } from './matches.ts';
import { rowsByTable } from '../rows-by-table.ts';
import type { RowChains } from '../versions/chains.ts';
import { undoneWrites } from '../versions/undone-writes.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Writers } from '../versions/writers.ts';

export interface UnobservedReadMarks {
  /** Marks predicate read p of a statement, on one row where nothing or not all is drawn. */
  row(s: number, p: number, row: number): void;
  /** Marks it on all rows of its table. */
  table(s: number, p: number, why: UnobservedName): void;
}

/** Marks the reads for which the history says that nothing is drawn. Returns how to mark the others. */
export function markUnobservedReads(
  history: History,
  order: VersionOrder,
  chains: RowChains,
  writers: Writers,
  numberOf: Int32Array,
  marks: UnobservedMarks,
): UnobservedReadMarks {
  const { predicates, unobservedReads, statements, round } = history;
  const byTable = rowsByTable(history);
  const undone = undoneWrites(history, writers);

  /** Calls `found` for the other transactions that are known to have installed a version that changes the match. */
  const changers = (reader: number, row: number, match: (v: number) => number, found: (writer: number) => void): void => {
    const [from, to] = [chains.starts[row], chains.starts[row + 1]];
    for (let i = from; i < to; i++) {
      const v = chains.versions[i];
      const writer = order.txn[v];
      if (writer === 0 || writer === reader) continue;
      const before = i === from ? MATCH.no : match(chains.versions[i - 1]);
      const after = match(v);
      if (before !== after || after === MATCH.unknown) found(writer);
    }
  };
  const otherWriter = (reader: number, row: number): boolean => {
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++)
      if (order.txn[chains.versions[i]] !== 0 && order.txn[chains.versions[i]] !== reader) return true;
    return false;
  };
  const ofPredicate =
    (p: number) =>
    (v: number): number =>
      matchOf(predicates, p, order, numberOf, v);
  const rowsOf = (table: string): readonly number[] => byTable.get(table) ?? [];
  const onRow = (s: number, row: number, match: (v: number) => number, why: UnobservedName): void => {
    const reader = statements.txn[s];
    changers(reader, row, match, (writer) => marks.pair(reader, writer, why));
    if (undone.near(s, row, true)) marks.mark(reader, why);
  };

  for (let p = 0; p < unobservedReads.count; p++) {
    const s = unobservedReads.statement[p];
    const match = (v: number): number => matchOf(unobservedReads, p, order, numberOf, v);
    if (unobservedReads.matches[p] !== undefined)
      for (const row of rowsOf(unobservedReads.table[p]))
        changers(statements.txn[s], row, match, (writer) => marks.pair(statements.txn[s], writer, unobservedReads.why[p]));
    else if (rowsOf(unobservedReads.table[p]).some((row) => otherWriter(statements.txn[s], row) || undone.near(s, row, true)))
      marks.mark(statements.txn[s], unobservedReads.why[p]);
  }
  const unseen: UnobservedReadMarks = {
    row: (s, p, row) => onRow(s, row, ofPredicate(p), 'which version'),
    table: (s, p, why) => {
      for (const row of rowsOf(predicates.table[p])) onRow(s, row, ofPredicate(p), why);
    },
  };
  if (predicates.evaluated === undefined) markUnevaluated();
  else if (!history.complete || round.instrument !== 'exact' || round.level === 'read-uncommitted')
    for (let p = 0; p < predicates.count; p++) unseen.table(predicates.statement[p], p, 'evaluation');
  return unseen;

  /** Marks every transaction with predicate reads, because the database was not asked to evaluate them. */
  function markUnevaluated(): void {
    for (let s = 0; s < statements.count; s++) if (statements.reads[s] !== undefined) marks.mark(statements.txn[s], 'evaluation');
  }
}
