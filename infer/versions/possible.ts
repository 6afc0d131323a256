/**
 * Which versions of a row a statement can have seen, as far as its own reads and the times tell. A row that it returned
 * it saw in the version returned. Of another row it can have seen every version that was sent before the reply, those
 * that their own transactions replaced included (G1b); nothing is said where a write that came to nothing can have been
 * seen (G1a), nor of a row without a complete chain (row-chains.ts).
 *
 * At READ COMMITTED a statement that locks looks twice at a row that is changed meanwhile (PostgreSQL 13.2.1): of such
 * rows is spoken only where the statement locked the row, which names the version that it looked at last, and reads the
 * table in no other way. An UPDATE and a DELETE lock their own table alone, a SELECT with a locking clause within it the tables
 * that this reaches.
 */
import { NONE, ROLE } from '../../core/index.ts';
import type { History, SentKind } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { Readings } from './readings.ts';
import type { RowChains } from './chains.ts';
import { undoneWrites } from './undone-writes.ts';
import type { VersionOrder } from './order.ts';
import { FATE } from './writers.ts';
import type { Writers } from './writers.ts';

/** Kinds that wait for a row's lock and then look at it again. */
const LOCKING: ReadonlySet<SentKind> = new Set<SentKind>(['update', 'delete', 'select for update', 'select for share']);

export interface PossibleVersions {
  /** Of these statements' rows is spoken from now on. */
  setStatement(s: number): void;
  returned(row: number): boolean;
  /** The rows that the statement returned, each once. */
  readonly rows: readonly number[];
  /** The version in which it returned a row; NONE where it is not known. */
  version(row: number): number;
  /** Into `out`: version numbers, NONE for the unborn one. False where nothing is said of the row. `alone`: the table is read in one way. */
  list(row: number, out: number[], alone: boolean): boolean;
  /** The same of a row that the statement may have looked at twice: one of these it saw when it looked first. */
  listFirst(row: number, out: number[]): boolean;
  /** May the statement have looked at the row twice? */
  twice(row: number): boolean;
  /** The place in the row's chain that stands for a version: its transaction's, where that replaced it. NONE: there is none. */
  placeOf(row: number, v: number): number;
  /** The place of a transaction in a row's chain, NONE if it has none. */
  placeOfTxn(row: number, txn: number): number;
}

export function possibleVersions(history: History, readings: Readings, order: VersionOrder, writers: Writers, chains: RowChains): PossibleVersions {
  const { statements, observations, transactions, rows, round } = history;
  const statementOf = new Int32Array(readings.count);
  for (let i = 0; i < readings.count; i++) statementOf[i] = observations.statement[readings.observation[i]];
  const byStatement = buildCsr(statements.count, statementOf, statementOf);
  const passing = passingVersions(order, chains, rows.count);
  const undone = undoneWrites(history, writers);
  const seenBy = new Int32Array(rows.count).fill(NONE);
  const version = new Int32Array(rows.count);
  const returned: number[] = [];
  let s = NONE;
  let locks = false;
  /** The tables that it locks; undefined: all that it reads. */
  let targets: readonly string[] | undefined;
  const locked = new Int32Array(rows.count).fill(NONE);

  const sentLater = (writer: number): boolean => writer !== NONE && statements.invokeAt[writer] > statements.replyAt[s];
  const placeOfTxn = (row: number, txn: number): number => {
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++) if (order.txn[chains.versions[i]] === txn) return i - chains.starts[row] + 1;
    return NONE;
  };
  return {
    setStatement: (statement) => {
      s = statement;
      const kind = statements.kind[s];
      const all = LOCKING.has(kind) && statements.table[s] === undefined;
      targets = all ? undefined : [...(LOCKING.has(kind) ? statements.table[s]!.split(',') : []), ...(statements.locks[s] ?? [])];
      locks = targets?.length !== 0 && round.level === 'read-committed';
      returned.length = 0;
      for (let i = byStatement.starts[s]; i < byStatement.starts[s + 1]; i++) {
        const r = byStatement.order[i];
        const o = readings.observation[r];
        const row = observations.row[o];
        const last = readings.end[r] - (readings.role[r] === ROLE.write ? 2 : 1);
        const v = last < observations.start[o] ? NONE : order.versionOf[last];
        if (seenBy[row] !== s) returned.push(row);
        version[row] = seenBy[row] === s && version[row] !== v ? NONE : v; // two versions of one row: neither
        seenBy[row] = s;
        if (all || readings.role[r] !== ROLE.read) locked[row] = s;
      }
    },
    rows: returned,
    returned: (row) => seenBy[row] === s,
    version: (row) => version[row],
    placeOfTxn,
    placeOf: (row, v) => (v === NONE ? 0 : chains.place[v] === NONE ? placeOfTxn(row, order.txn[v]) : chains.place[v]),
    twice,
    listFirst: (row, out) => {
      out.length = 0;
      return chains.starts[row] < chains.starts[row + 1] && listSent(row, out);
    },
    list: (row, out, alone) => {
      out.length = 0;
      if (chains.starts[row] === chains.starts[row + 1]) return false;
      if (!(alone && locked[row] === s) && twice(row)) return false;
      if (seenBy[row] === s) {
        const v = version[row];
        if (v === NONE || order.fate[v] !== FATE.committed) return false;
        out.push(v);
        return true;
      }
      return listSent(row, out);
    },
  };

  /** What was sent before the reply, and not by the statement itself. */
  function listSent(row: number, out: number[]): boolean {
    if (undone.near(s, row)) return false;
    if (rows.birthTxn[row] !== 0) out.push(NONE); // the initial rows were never unborn while transactions ran
    for (let i = chains.starts[row]; i < chains.starts[row + 1] && !sentLater(chains.firstStatement[i]); i++) if (chains.firstStatement[i] !== s) out.push(chains.versions[i]);
    for (let i = passing.starts[row]; i < passing.starts[row + 1]; i++) {
      const v = passing.order[i];
      const writer = writers.statement(order.txn[v], order.seq[v]);
      if (writer !== s && !sentLater(writer)) out.push(v);
    }
    return true;
  }

  function twice(row: number): boolean {
    return locks && (targets === undefined || targets.includes(rows.table[row])) && changedMeanwhile(row);
  }

  function changedMeanwhile(row: number): boolean {
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++) {
      const writer = chains.firstStatement[i];
      if (writer === NONE || statements.txn[writer] === statements.txn[s]) continue;
      const over = transactions.endAt[statements.txn[writer]];
      if (statements.invokeAt[writer] <= statements.replyAt[s] && !(over < statements.invokeAt[s])) return true;
    }
    return false;
  }
}

/** CSR over rows: committed versions that their own transactions replaced. */
function passingVersions(order: VersionOrder, chains: RowChains, rowCount: number): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const versions: number[] = [];
  for (let v = 0; v < order.count; v++) if (order.fate[v] === FATE.committed && chains.place[v] === NONE) versions.push(v);
  const csr = buildCsr(rowCount, Int32Array.from(versions, (v) => order.row[v]), Int32Array.from(versions, (v) => order.row[v]));
  return { starts: csr.starts, order: csr.order.map((i) => versions[i]) };
}
