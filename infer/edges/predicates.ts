/**
 * Absence and predicate dependencies (Adya 1999, 4.1.2; docs/PREDICATES.md). A statement with a WHERE looked at one version of
 * every row of its table. Of a row it returned the version is known. A row it did not return it saw in a version that
 * satisfies none of its WHEREs, unborn and dead included: absence is the case of a statement without a WHERE.
 *
 *     unborn   3.1    7.2    dead        not returned: one of the places marked n, as far as it can have been seen at
 *       n       n      y       n         all (possible-versions.ts)
 *
 *   rwp  reader -> whoever installed a later version that changed the match: certain for all that lie behind the last
 *        version that can have been seen
 *   wrp  whoever made the last change up to the version seen -> reader: certain if the versions that can have been seen
 *        form one run without a change in it
 *
 * A statement may look at a table several times, each time by a WHERE of its own; a subquery's counts only if one of the
 * combinations of rows is seen for certain that it is read for. If the database's evaluation contradicts one row that the
 * statement returned, or one that it did not return although every version satisfies a WHERE, all that it says of the
 * statement and the table is thrown away and counted. Of what is looked at and draws no dependency although it may have one,
 * the reader is marked (unseen-looks.ts).
 */
import { NONE, REL, ROLE, STATEMENT_STATUS } from '../../core/index.ts';
import type { History, PredicateCounts, UnexplainedRow, Witnesses } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { EdgeColumns } from './edges.ts';
import type { GapMarks } from '../gaps/gaps.ts';
import { MATCH, matchOf, numberedVersions } from '../gaps/matches.ts';
import { possibleVersions } from '../versions/possible.ts';
import type { Readings } from '../versions/readings.ts';
import type { RowChains } from '../versions/chains.ts';
import { markLooks } from '../gaps/unseen-looks.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Writers } from '../versions/writers.ts';

export function addPredicates(history: History, readings: Readings, order: VersionOrder, chains: RowChains, writers: Writers, edges: EdgeColumns, marks: GapMarks | undefined): PredicateCounts {
  const { observations, predicates, statements, transactions, rows, round } = history;
  const unexplainedAt: UnexplainedRow[] = [];
  const counts = { used: 0, disagreed: 0, unexplained: 0, unexplainedAt, unusable: 0, unproven: 0, wrp: 0, rwp: 0 };
  const numberOf = numberedVersions(history, order);
  const unseen = marks && markLooks(history, order, chains, writers, numberOf, marks);
  if (predicates.count === 0) return counts;
  if (!history.complete || round.instrument !== 'exact' || round.level === 'read-uncommitted') return { ...counts, unusable: predicates.count };

  const possible = possibleVersions(history, readings, order, writers, chains);
  const byStatement = buildCsr(statements.count, predicates.statement, predicates.statement);
  const versionOf = new Int32Array(predicates.row.length).fill(NONE);
  for (let v = 0; v < order.count; v++) if (numberOf[v] !== NONE) versionOf[numberOf[v]] = v;
  const inSet = new Int32Array(predicates.row.length).fill(NONE);
  let sets = 0;
  const byTable = rowsByTable(history);
  const firstWrite = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--) if (statements.seq[s] !== NONE && statements.undone[s] === 0) firstWrite[statements.txn[s]] = s;
  // What it deleted itself (a REPLACE deletes too) may have taken other rows along, for its own eyes alone if that is lost at COMMIT.
  const removed = new Uint8Array(statements.count);
  for (let o = 0; o < observations.count; o++) if (observations.role[o] === ROLE.delete) removed[observations.statement[o]] = 1;
  const firstDelete = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--) if ((statements.kind[s] === 'delete' || statements.kind[s] === 'insert') && (removed[s] === 1 || statements.incomplete[s] === 1)) firstDelete[statements.txn[s]] = s;
  let deleted = false;
  const candidates: number[] = [];

  for (let s = 0; s < statements.count; s++) {
    const looks = byStatement.order.subarray(byStatement.starts[s], byStatement.starts[s + 1]);
    if (looks.length === 0) continue;
    if (!usable(s)) counts.unusable += looks.length;
    else if (looks.length > 0) judge(s, looks);
  }
  return counts;

  function usable(s: number): boolean {
    const reader = statements.txn[s];
    const takesEffect = statements.undone[s] === 0 || transactions.autocommit[reader] === 1;
    return writers.committed(reader) && statements.status[s] === STATEMENT_STATUS.ok && takesEffect && statements.incomplete[s] === 0 && statements.reads[s] === 'exact';
  }

  function judge(s: number, looks: Uint32Array): void {
    possible.setStatement(s);
    deleted = firstDelete[statements.txn[s]] !== NONE && firstDelete[statements.txn[s]] < s;
    const certain = new Map<string, number[]>();
    const conditional: number[] = [];
    for (const p of looks) {
      if (predicates.when[p] !== undefined) conditional.push(p);
      else append(certain, predicates.table[p], p);
    }
    for (const [table, own] of certain) {
      if (!contradicted(table, own)) continue;
      counts.disagreed += own.length;
      certain.delete(table);
      marks?.mark(statements.txn[s], 'evaluation');
    }
    const proven = conditional.filter((p) => isProven(predicates.when[p]!, certain));
    counts.unproven += conditional.length - proven.length;
    for (const p of conditional) if (!proven.includes(p)) unseen?.table(s, p, 'unproven');
    for (const p of proven) append(certain, predicates.table[p], p);
    for (const [table, own] of certain) addTable(s, table, own);
  }

  function match(p: number, v: number): number {
    return matchOf(predicates, p, order, numberOf, v);
  }

  /** Where the table is read by these conditions alone, what was returned satisfies one of them. */
  function contradicted(table: string, looks: readonly number[]): boolean {
    if (looks.some((p) => predicates.beside[p] === 1)) return false;
    return possible.rows.some((row) => rows.table[row] === table && possible.version(row) !== NONE && looks.every((p) => match(p, possible.version(row)) === MATCH.no));
  }

  /** Into `candidates`: the versions that can have been seen, by the conditions that would have returned the row too. */
  function see(row: number, looks: readonly number[], alone: boolean): boolean {
    if (!possible.list(row, candidates, alone)) return false;
    if (possible.returned(row)) return true;
    if (deleted) return false;
    let kept = 0;
    for (const v of candidates) if (!looks.some((p) => match(p, v) === MATCH.yes)) candidates[kept++] = v;
    candidates.length = kept;
    return true;
  }

  /** Of rows that were looked at twice, what the first look saw: for that a subquery was read, and its reads are shown. */
  function seeFirst(row: number, looks: readonly number[]): boolean {
    return possible.twice(row) && !deleted ? possible.listFirst(row, candidates) : see(row, looks, false);
  }

  /** Was one of the combinations seen? One row at a time: whatever version of it was seen is among them. */
  function isProven({ tables, versions }: Witnesses, certain: ReadonlyMap<string, readonly number[]>): boolean {
    const set = ++sets;
    if (tables.length === 1) for (const k of versions) inSet[k] = set;
    const known = (k: number, table: string): boolean => {
      if (versionOf[k] === NONE || !seeFirst(predicates.row[k], certain.get(table) ?? []) || candidates.length === 0) return false;
      return tables.length === 1 ? candidates.every((v) => v !== NONE && numberOf[v] !== NONE && inSet[numberOf[v]] === set) : candidates.every((v) => v === versionOf[k]);
    };
    for (let i = 0; i < versions.length; i += tables.length) {
      if (tables.every((table, j) => known(versions[i + j], table))) return true;
    }
    return false;
  }

  function addTable(s: number, table: string, looks: readonly number[]): void {
    const reader = statements.txn[s];
    const wrote = firstWrite[reader] !== NONE && firstWrite[reader] < s;
    const alone = looks.length === 1 && predicates.beside[looks[0]] === 0 && predicates.when[looks[0]] === undefined;
    const places: Int32Array[] = [];
    for (const row of byTable.get(table) ?? []) {
      if (!see(row, looks, alone)) {
        for (const p of looks) unseen?.row(s, p, row);
        continue;
      }
      if (candidates.length === 0) {
        counts.unexplained += looks.length;
        unexplainedAt.push({ statement: s, row });
        marks?.mark(reader, 'unexplained');
        return;
      }
      let first = NONE;
      let last = NONE;
      let placed = true;
      for (const v of candidates) {
        const place = possible.placeOf(row, v);
        if (place === NONE) placed = false;
        if (first === NONE || place < first) first = place;
        if (place > last) last = place;
      }
      // After a write of the reader's own a foreign key's action may have given the row a version of the reader's that no
      // list shows: then it was seen as what the reader made of it in the end.
      const own = wrote ? possible.placeOfTxn(row, reader) : NONE;
      if (!placed) for (const p of looks) unseen?.row(s, p, row);
      else places.push(Int32Array.of(row, first, last, own === NONE ? first : Math.min(first, own), own === NONE ? last : Math.max(last, own)));
    }
    counts.used += looks.length;
    for (const p of looks) for (const [row, first, last, low, high] of places) addDependencies(s, p, row, first, last, low, high);
  }

  /** Seen from `first` to `last`, with versions of its own from `low` to `high`. */
  function addDependencies(s: number, p: number, row: number, first: number, last: number, low: number, high: number): void {
    const reader = statements.txn[s];
    const from = chains.starts[row];
    const length = chains.starts[row + 1] - from;
    const lowest = rows.birthTxn[row] === 0 ? 1 : 0;
    const at = (place: number): number => chains.versions[from + place - 1];
    const status = (place: number): number => (place === 0 ? MATCH.no : match(p, at(place)));
    if (!sameThroughout(status, lowest, length, low, high)) unseen?.row(s, p, row);
    // wrp: back from the run to the change that began it
    let run = low;
    for (let place = low; place <= high; place++) if (status(place) !== status(low)) run = NONE;
    if (run !== NONE && status(low) !== MATCH.unknown) {
      while (run > lowest && status(run - 1) === status(low)) run--;
      const born = run === lowest && lowest === 1; // an initial version: changed by the initial state itself, if it matches
      const changed = run > 0 && (born ? status(run) === MATCH.yes : status(run - 1) !== MATCH.unknown && status(run - 1) !== status(run));
      const v = changed ? at(run) : NONE;
      if (v !== NONE && order.txn[v] !== reader) {
        counts.wrp++;
        edges.add({
          from: order.txn[v], to: reader, rel: REL.wrp, row, observation: NONE,
          fromStatement: writers.statement(order.txn[v], order.seq[v]), toStatement: s,
          fromTxn: order.txn[v], fromSeq: order.seq[v], toTxn: order.txn[v], toSeq: order.seq[v],
        });
      }
    }
    // rwp: everything behind it that changes the match
    const seen = last === 0 ? NONE : at(last);
    for (let place = last + 1; place <= length; place++) {
      const before = status(place - 1);
      const after = status(place);
      if (before === after || before === MATCH.unknown || after === MATCH.unknown) continue;
      const w = at(place);
      if (order.txn[w] === reader) continue;
      counts.rwp++;
      edges.add({
        from: reader, to: order.txn[w], rel: REL.rwp, row, observation: first === last && place === last + 1 && seen !== NONE ? order.shownBy[seen] : NONE,
        fromStatement: s, toStatement: writers.statement(order.txn[w], order.seq[w]),
        fromTxn: seen === NONE ? NONE : order.txn[seen], fromSeq: seen === NONE ? NONE : order.seq[seen], toTxn: order.txn[w], toSeq: order.seq[w],
      });
    }
  }
}

/** Every version is known to match or not, and none from `low` to `high` changes it: then whichever of these was seen, its dependencies are drawn. */
function sameThroughout(status: (place: number) => number, lowest: number, length: number, low: number, high: number): boolean {
  for (let place = lowest; place <= length; place++) if (status(place) === MATCH.unknown) return false;
  for (let place = low + 1; place <= high; place++) if (status(place) !== status(low)) return false;
  return true;
}

function append(lists: Map<string, number[]>, key: string, p: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [p]);
  else list.push(p);
}

function rowsByTable({ rows }: History): ReadonlyMap<string, readonly number[]> {
  const byTable = new Map<string, number[]>();
  for (let row = 0; row < rows.count; row++) {
    const list = byTable.get(rows.table[row]);
    if (list === undefined) byTable.set(rows.table[row], [row]);
    else list.push(row);
  }
  return byTable;
}
