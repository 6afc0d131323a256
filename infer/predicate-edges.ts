/**
 * Absence and predicate dependencies (Adya 1999, 4.1.2; DESIGN 6). A statement with a WHERE looked at one version of
 * every row of its table. Of a row it returned the version is known. A row it did not return it saw in a version that
 * does not satisfy the WHERE, unborn and dead included: absence is the case of a statement without a WHERE.
 *
 *     unborn   3.1    7.2    dead        not returned: one of the places marked n, as far as it can have been seen at
 *       n       n      y       n         all (what was sent after the reply cannot)
 *
 *   rwp  reader -> whoever installed a later version that changed the match: certain for all that lie behind the last
 *        version that can have been seen
 *   wrp  whoever made the last change up to the version seen -> reader: certain if the versions that can have been seen
 *        form one run without a change in it
 *
 * Only rows with a complete chain (row-chains.ts). A row that the statement's own transaction wrote before tells nothing.
 * At READ COMMITTED a statement that locks looks twice at a row that is changed meanwhile (PostgreSQL 13.2.1): such rows
 * tell nothing either. If the database's evaluation contradicts one row that the statement returned, or one that it did
 * not return although every version satisfies the WHERE, the whole predicate is thrown away and counted.
 */
import { NONE, REL, ROLE, STATEMENT_STATUS } from '../core/index.ts';
import type { History, PredicateCounts, SentKind } from '../core/index.ts';
import { buildCsr } from '../graph/index.ts';
import type { Edge, EdgeColumns } from './edges.ts';
import type { Readings } from './readings.ts';
import { completeChains } from './row-chains.ts';
import type { RowChains } from './row-chains.ts';
import type { VersionOrder } from './version-order.ts';
import { FATE } from './writers.ts';
import type { Writers } from './writers.ts';

/** Kinds that wait for a row's lock and then look at it again. */
const LOCKING: ReadonlySet<SentKind> = new Set<SentKind>(['update', 'delete', 'select for update', 'select for share']);

/** Does a version satisfy the WHERE? */
const MATCH = { no: 0, yes: 1, unknown: 2 } as const;

export function addPredicates(history: History, readings: Readings, order: VersionOrder, writers: Writers, edges: EdgeColumns): PredicateCounts {
  const { predicates, statements, observations, transactions, rows, round } = history;
  const counts = { used: 0, disagreed: 0, unexplained: 0, unusable: 0, wrp: 0, rwp: 0 };
  if (predicates.count === 0) return counts;
  if (!history.complete || round.instrument !== 'exact' || round.level === 'read-uncommitted') return { ...counts, unusable: predicates.count };

  const chains = completeChains(history, readings, order, writers);
  const statementOf = new Int32Array(readings.count);
  for (let i = 0; i < readings.count; i++) statementOf[i] = observations.statement[readings.observation[i]];
  const byStatement = buildCsr(statements.count, statementOf, statementOf);
  const numberOf = new Int32Array(order.count).fill(NONE);
  for (let k = 0; k < predicates.row.length; k++) {
    const v = predicates.row[k] === NONE ? NONE : order.find(predicates.row[k], predicates.txn[k], predicates.seq[k]);
    if (v !== NONE) numberOf[v] = k;
  }
  const passing = passingVersions(order, chains, rows.count);
  const undoneAt = firstUndone(history, writers);
  const byTable = rowsByTable(history);
  const returned = new Int32Array(rows.count).fill(NONE);
  const version = new Int32Array(rows.count);
  const firstWrite = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--) if (statements.seq[s] !== NONE && statements.undone[s] === 0) firstWrite[statements.txn[s]] = s;

  for (let p = 0; p < predicates.count; p++) {
    const s = predicates.statement[p];
    const reader = statements.txn[s];
    const takesEffect = statements.undone[s] === 0 || transactions.autocommit[reader] === 1;
    if (!writers.committed(reader) || statements.status[s] !== STATEMENT_STATUS.ok || !takesEffect || statements.incomplete[s] === 1 || statements.reads[s] !== 'exact') {
      counts.unusable++;
      continue;
    }
    const found = evaluated(p, s, reader);
    if (found === 'disagreed' || found === 'unexplained') counts[found]++;
    else {
      counts.used++;
      for (const edge of found) {
        counts[edge.rel === REL.wrp ? 'wrp' : 'rwp']++;
        edges.add(edge);
      }
    }
  }
  return counts;

  function evaluated(p: number, s: number, reader: number): readonly Edge[] | 'disagreed' | 'unexplained' {
    const base = predicates.base[p];
    const size = predicates.size[p];
    const bits = predicates.matches[p];
    const found: Edge[] = [];
    const match = (v: number): number => {
      if (order.dead[v] === 1) return MATCH.no;
      if (bits === undefined) return MATCH.yes;
      const at = numberOf[v] - base;
      if (numberOf[v] === NONE || at < 0 || at >= size) return MATCH.unknown;
      return bits[at] === '1' ? MATCH.yes : bits[at] === '0' ? MATCH.no : MATCH.unknown;
    };

    for (let i = byStatement.starts[s]; i < byStatement.starts[s + 1]; i++) {
      const r = byStatement.order[i];
      const o = readings.observation[r];
      const row = observations.row[o];
      if (rows.table[row] !== predicates.table[p]) continue; // a UNION over several tables has a predicate for each
      const last = readings.end[r] - (readings.role[r] === ROLE.write ? 2 : 1);
      const v = last < observations.start[o] ? NONE : order.versionOf[last];
      if (v !== NONE && match(v) === MATCH.no) return 'disagreed';
      version[row] = returned[row] === p && version[row] !== v ? NONE : v; // two versions of one row: neither
      returned[row] = p;
    }

    for (const row of byTable.get(predicates.table[p]) ?? []) {
      const from = chains.starts[row];
      const length = chains.starts[row + 1] - from;
      if (length === 0 || (LOCKING.has(statements.kind[s]) && round.level === 'read-committed' && changedMeanwhile(from, length))) continue;
      const at = (place: number): number => chains.versions[from + place - 1];
      const status = (place: number): number => (place === 0 ? MATCH.no : match(at(place)));
      // the initial rows were never unborn while transactions ran
      const lowest = rows.birthTxn[row] === 0 ? 1 : 0;
      let first: number;
      let last: number;
      if (returned[row] === p) {
        const v = version[row];
        first = last = v === NONE ? NONE : chains.place[v];
        if (first === NONE) continue;
      } else {
        first = last = NONE;
        let own = false;
        for (let place = lowest; place <= length; place++) {
          if (place > 0) {
            const writer = chains.firstStatement[from + place - 1];
            if (writer !== NONE && statements.txn[writer] === reader && writer <= s) own = true;
            if (writer !== NONE && statements.invokeAt[writer] > statements.replyAt[s]) break;
          }
          if (status(place) === MATCH.yes) continue;
          if (first === NONE) first = place;
          last = place;
        }
        if (own) continue;
        if (undoneAt[row] <= statements.replyAt[s] || explainedByPassing(row)) continue;
        if (first === NONE) return 'unexplained';
      }
      addDependency(found, first, last, row, length, at, (place) => (returned[row] === p && place === last ? MATCH.yes : status(place)), lowest);
    }
    return found;

    /** May it have been a version that its own transaction replaced (G1b) that did not satisfy the WHERE? */
    function explainedByPassing(row: number): boolean {
      for (let i = passing.starts[row]; i < passing.starts[row + 1]; i++) {
        const v = passing.order[i];
        const writer = writers.statement(order.txn[v], order.seq[v]);
        if (match(v) !== MATCH.yes && !(writer !== NONE && statements.invokeAt[writer] > statements.replyAt[s])) return true;
      }
      return false;
    }

    function changedMeanwhile(from: number, length: number): boolean {
      for (let i = from; i < from + length; i++) {
        const writer = chains.firstStatement[i];
        if (writer === NONE || statements.txn[writer] === reader) continue;
        const end = transactions.endAt[statements.txn[writer]];
        if (statements.invokeAt[writer] <= statements.replyAt[s] && !(end < statements.invokeAt[s])) return true;
      }
      return false;
    }

    function addDependency(
      found: Edge[],
      first: number,
      last: number,
      row: number,
      length: number,
      at: (place: number) => number,
      status: (place: number) => number,
      lowest: number,
    ): void {
      // wrp: back from the run to the change that began it
      // Not after a write of the reader's own: it may have changed the match to and fro, and a foreign key's action may
      // have given this row a version of its own that no list shows.
      let run = firstWrite[reader] !== NONE && firstWrite[reader] < s ? NONE : first;
      for (let place = first; place <= last; place++) if (status(place) !== status(first)) run = NONE;
      if (run !== NONE && status(first) !== MATCH.unknown) {
        while (run > lowest && status(run - 1) === status(first)) run--;
        const born = run === lowest && lowest === 1; // an initial version: changed by the initial state itself, if it matches
        const changed = run > 0 && (born ? status(run) === MATCH.yes : status(run - 1) !== MATCH.unknown && status(run - 1) !== status(run));
        const v = changed ? at(run) : NONE;
        if (v !== NONE && order.txn[v] !== reader) {
          found.push({
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
        found.push({
          from: reader, to: order.txn[w], rel: REL.rwp, row, observation: place === last + 1 && seen !== NONE ? order.shownBy[seen] : NONE,
          fromStatement: s, toStatement: writers.statement(order.txn[w], order.seq[w]),
          fromTxn: seen === NONE ? NONE : order.txn[seen], fromSeq: seen === NONE ? NONE : order.seq[seen], toTxn: order.txn[w], toSeq: order.seq[w],
        });
      }
    }
  }
}

/** Per row when the first write of it was sent that came to nothing: a reader may have seen it nevertheless (G1a), as a row gone or changed. */
function firstUndone({ rows, observations, statements }: History, writers: Writers): Float64Array {
  const first = new Float64Array(rows.count).fill(Number.POSITIVE_INFINITY);
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o];
    if (observations.role[o] === ROLE.read || (statements.undone[s] === 0 && writers.committed(statements.txn[s]))) continue;
    first[observations.row[o]] = Math.min(first[observations.row[o]], statements.invokeAt[s]);
  }
  return first;
}

/** CSR over rows: committed versions that their own transactions replaced. */
function passingVersions(order: VersionOrder, chains: RowChains, rowCount: number): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const versions: number[] = [];
  for (let v = 0; v < order.count; v++) if (order.fate[v] === FATE.committed && chains.place[v] === NONE) versions.push(v);
  const csr = buildCsr(rowCount, Int32Array.from(versions, (v) => order.row[v]), Int32Array.from(versions, (v) => order.row[v]));
  return { starts: csr.starts, order: csr.order.map((i) => versions[i]) };
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
