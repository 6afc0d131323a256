/**
 * Coverage of a round: counts, and the conflicts between committed transactions that overlapped in time. The key of a
 * conflict is the kinds of the two statements and the dependency (`select-update rw`: a select, then an update of the
 * same row). A run without any conflict has tested nothing.
 *
 * Conflicts are counted row by row. Accesses are taken in the order in which their transactions began. Each is compared
 * with those of transactions that had not ended by then, at most one per transaction and kind. The cost is O(accesses x
 * sessions) after the sort, not the square of the transactions.
 */
import { NONE, ROLE, TXN_STATUS, sentKindsThat } from '../../core/index.ts';
import type { Coverage, History } from '../../core/index.ts';

export const NO_COVERAGE: Coverage = {
  rounds: 0,
  transactions: 0,
  statements: 0,
  committed: 0,
  aborted: 0,
  unknown: 0,
  errors: {},
  reads: {},
  conflicts: {},
  blocked: 0,
};

export function coverageOf(history: History): Coverage {
  const { transactions, statements } = history;
  const outcomes = [0, 0, 0];
  let sent = 0;
  for (let t = 1; t < transactions.count; t++) {
    if (transactions.present[t] !== 1 || isOurs(history, t)) continue;
    sent++;
    outcomes[transactions.status[t]!]!++;
  }
  const errors: Record<string, number> = {};
  const reads: Record<string, number> = {};
  let counted = 0;
  let blocked = 0;
  for (let s = 0; s < statements.count; s++) {
    if (isOurs(history, statements.txn[s]!)) continue;
    counted++;
    blocked += statements.blocked[s]!;
    const tag = statements.reads[s];
    if (tag !== undefined) reads[tag] = (reads[tag] ?? 0) + 1;
    const error = statements.error[s];
    if (error !== undefined) errors[error.class] = (errors[error.class] ?? 0) + 1;
  }
  return {
    rounds: 1,
    transactions: sent,
    statements: counted,
    committed: outcomes[TXN_STATUS.committed]!,
    aborted: outcomes[TXN_STATUS.aborted]!,
    unknown: outcomes[TXN_STATUS.unknown]!,
    errors,
    reads,
    conflicts: conflictsOf(history),
    blocked,
  };
}

export function addCoverage(a: Coverage, b: Coverage): Coverage {
  return {
    rounds: a.rounds + b.rounds,
    transactions: a.transactions + b.transactions,
    statements: a.statements + b.statements,
    committed: a.committed + b.committed,
    aborted: a.aborted + b.aborted,
    unknown: a.unknown + b.unknown,
    errors: sum(a.errors, b.errors),
    reads: sum(a.reads, b.reads),
    conflicts: sum(a.conflicts, b.conflicts),
    blocked: a.blocked + b.blocked,
  };
}

/** True if no two overlapping committed transactions conflicted. A run without conflicts says nothing about the level. */
export function testedNothing(coverage: Coverage): boolean {
  return Object.keys(coverage.conflicts).length === 0;
}

function sum(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const total: Record<string, number> = { ...a };
  for (const [key, count] of Object.entries(b)) total[key] = (total[key] ?? 0) + count;
  return total;
}

/** The final reads are the tool's own. */
function isOurs(history: History, txn: number): boolean {
  return history.transactions.session[txn]! >= history.round.sessions;
}

/** The accesses of statements to one row, in columns. An UPDATE or DELETE counts as a write. */
interface Accesses {
  readonly row: number[];
  readonly statement: number[];
  readonly write: boolean[];
}

function conflictsOf(history: History): Record<string, number> {
  const accesses = accessesOf(history);
  const { beginAt } = history.transactions;
  const { txn } = history.statements;
  const began = (i: number): number => beginAt[txn[accesses.statement[i]!]!]!;
  const order = accesses.row.map((_, i) => i);
  order.sort((a, b) => accesses.row[a]! - accesses.row[b]! || began(a) - began(b) || a - b);
  const found: Record<string, number> = {};
  let running: number[] = [];
  let row = NONE;
  for (const i of order) {
    if (accesses.row[i] !== row) {
      row = accesses.row[i]!;
      running = [];
    }
    running = sweep(history, accesses, running, i, found);
  }
  return found;
}

/** Counts the conflicts of access `i` with those of running transactions. Returns the accesses of transactions that still run, and `i`. */
function sweep(
  history: History,
  { statement, write }: Accesses,
  running: readonly number[],
  i: number,
  found: Record<string, number>,
): number[] {
  const { statements, transactions } = history;
  const txn = statements.txn[statement[i]!]!;
  const kept: number[] = [];
  let known = false;
  for (const j of running) {
    const other = statements.txn[statement[j]!]!;
    if (other !== txn && !(transactions.endAt[other]! > transactions.beginAt[txn]!)) continue;
    kept.push(j);
    if (other === txn) known ||= write[j] === write[i] && statements.kind[statement[j]!] === statements.kind[statement[i]!];
  }
  if (known) return kept;
  for (const j of kept) {
    if (statements.txn[statement[j]!] === txn || !(write[i] || write[j])) continue;
    const inOrder = statements.invokeAt[statement[j]!]! <= statements.invokeAt[statement[i]!]!;
    const [first, second] = inOrder ? [j, i] : [i, j];
    const relation = write[first] ? (write[second] ? 'ww' : 'wr') : 'rw';
    const key = `${statements.kind[statement[first]!]}-${statements.kind[statement[second]!]} ${relation}`;
    found[key] = (found[key] ?? 0) + 1;
  }
  kept.push(i);
  return kept;
}

function accessesOf(history: History): Accesses {
  const { observations, statements, transactions, entries } = history;
  const accesses = { row: [] as number[], statement: [] as number[], write: [] as boolean[] };
  const add = (row: number, statement: number, write: boolean): void => {
    const txn = statements.txn[statement]!;
    if (transactions.status[txn] !== TXN_STATUS.committed || statements.undone[statement] === 1 || isOurs(history, txn)) return;
    accesses.row.push(row);
    accesses.statement.push(statement);
    accesses.write.push(write);
  };
  for (let o = 0; o < observations.count; o++) add(observations.row[o]!, observations.statement[o]!, observations.role[o] !== ROLE.read);
  if (history.round.instrument !== 'paper') return accesses;
  // The paper's writes return nothing. The lists that later readers saw say who wrote a row.
  const writers = writersOf(history);
  const seen = new Set<number>();
  for (let o = 0; o < observations.count; o++) {
    const row = observations.row[o]!;
    const start = observations.start[o]!;
    for (let e = start; e < start + observations.length[o]!; e++) {
      const writer = writers.get(writeKey(entries.txn[e]!, entries.seq[e]!));
      if (writer === undefined) continue;
      const key = row * statements.count + writer;
      if (seen.has(key)) continue;
      seen.add(key);
      add(row, writer, true);
    }
  }
  return accesses;
}

function writersOf({ statements }: History): Map<number, number> {
  const writers = new Map<number, number>();
  for (let s = 0; s < statements.count; s++)
    if (statements.seq[s] !== NONE && MAKING_VERSIONS.has(statements.kind[s]!))
      writers.set(writeKey(statements.txn[s]!, statements.seq[s]!), s);
  return writers;
}

const MAKING_VERSIONS = sentKindsThat('makes versions');

function writeKey(txn: number, seq: number): number {
  return txn * 65_536 + seq;
}
