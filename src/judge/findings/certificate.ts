/**
 * Extracts the raw evidence of an anomaly from the round's history (core/certificate.ts). The certificate has all
 * observations of the anomaly's rows. The statements and outcomes of every transaction that made an observation, or that
 * a list names, are included. So is everything that the transactions of the cycle sent and deleted. Their reads of other
 * rows are omitted, because no edge is about them and one statement can read thousands.
 *
 * A transaction of unknown outcome counts as committed if a committed one has read its write, on whatever row. Those
 * observations are included.
 */
import { NONE, ROLE, TXN_STATUS } from '../../../core/index.ts';
import type { Anomaly, Certificate, CertifiedPredicate, CertifiedStatement, CertifiedTxn, History } from '../../../core/index.ts';
import { listText, observationAt, statementAt, txnAt } from './columns.ts';
import type { ObservationObject } from './columns.ts';

/** The part of the history that the certificate holds, by number. */
interface Taken {
  readonly rows: readonly number[];
  readonly ofCycle: ReadonlySet<number>;
  /** The statements whose predicate reads the edges are about. */
  readonly looking: ReadonlySet<number>;
  readonly observations: ReadonlySet<number>;
  readonly transactions: ReadonlySet<number>;
}

export function certificateOf(history: History, anomaly: Anomaly): Certificate {
  const { rows, round } = history;
  const taken = take(history, anomaly);
  return {
    version: 1,
    level: round.level,
    instrument: round.instrument,
    complete: history.complete,
    ...(round.references && {
      references: round.references.map(({ table, parent, onDelete, onUpdate }) => ({ table, parent, onDelete, onUpdate })),
    }),
    rows: taken.rows.map((row) => ({ table: rows.table[row]!, row: rows.rid[row]! })),
    transactions: [...taken.transactions]
      .filter((t) => history.transactions.present[t] === 1)
      .sort((a, b) => a - b)
      .map((t) => certifiedTxn(history, t)),
    statements: certifiedStatements(history, taken),
    predicates: taken.looking.size === 0 ? [] : certifiedPredicates(history, taken),
  };
}

function take(history: History, { cycle, row, transactions: ids }: Anomaly): Taken {
  const { transactions, statements, observations, rows } = history;
  const about = [...cycle.flatMap((step) => step.row ?? []), ...(row ? [row.row] : [])];
  const rowIds = [...new Set(about.map((rid) => rows.rid.indexOf(rid)))].filter((each) => each >= 0);
  const ofCycle = new Set(ids.map((id) => transactions.id.indexOf(id)));
  const looking = new Set(
    cycle.flatMap(({ rel, fromStatement, toStatement }) =>
      rel === 'rwp' ? (fromStatement ?? []) : rel === 'wrp' ? (toStatement ?? []) : [],
    ),
  );
  const kept = new Set<number>();
  for (let o = 0; o < observations.count; o++) {
    // A delete by a transaction of the cycle can leave open what its own predicate reads saw.
    if (
      rowIds.includes(observations.row[o]!) ||
      (observations.role[o] === ROLE.delete && ofCycle.has(statements.txn[observations.statement[o]!]!))
    )
      kept.add(o);
  }
  const taking = new Set(ofCycle);
  for (const o of kept) for (const t of namedBy(history, o)) taking.add(t);
  if (looking.size > 0) for (let s = 0; s < statements.count; s++) if (statements.kind[s] === 'final') taking.add(statements.txn[s]!);
  // The loop also visits members that are added to the set on the way.
  for (const t of taking) {
    for (const o of transactions.status[t] === TXN_STATUS.unknown ? readersOf(history, t) : []) {
      kept.add(o);
      for (const other of namedBy(history, o)) taking.add(other);
    }
  }
  taking.delete(0);
  return { rows: rowIds, ofCycle, looking, observations: kept, transactions: taking };
}

/** Returns the transaction that made an observation, and those that its list names. */
function namedBy({ statements, observations, entries }: History, o: number): number[] {
  const start = observations.start[o]!;
  return [statements.txn[observations.statement[o]!]!, ...entries.txn.subarray(start, start + observations.length[o]!)];
}

/**
 * Returns one observation for each transaction on the way from an unknown one to a committed reader. Each names a write
 * of that transaction.
 */
function readersOf(history: History, unknown: number): number[] {
  const { transactions, observations } = history;
  const reached = new Set([unknown]);
  const found: number[] = [];
  for (let grew = true; grew;) {
    grew = false;
    for (let o = 0; o < observations.count; o++) {
      const [reader, ...named] = namedBy(history, o) as [number, ...number[]];
      if (reached.has(reader) || transactions.status[reader] === TXN_STATUS.aborted || !named.some((t) => reached.has(t))) continue;
      found.push(o);
      if (transactions.status[reader] !== TXN_STATUS.unknown) continue;
      reached.add(reader);
      grew = true;
    }
  }
  return found;
}

function certifiedTxn(history: History, t: number): CertifiedTxn {
  const { autocommit, begin, end, ...txn } = txnAt(history, t);
  return { ...txn, ...(autocommit && { autocommit }), begin, end, over: lastReply(history, t) };
}

function lastReply({ statements }: History, txn: number): number | null {
  let last = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < statements.count; s++)
    if (statements.txn[s] === txn)
      last = Number.isNaN(statements.replyAt[s]) ? Number.POSITIVE_INFINITY : Math.max(last, statements.replyAt[s]!);
  return Number.isFinite(last) ? last : null;
}

/**
 * Returns the statements that observed, those that wrote what was observed, and all of the cycle. If conditions matter,
 * the final reads are included.
 */
function certifiedStatements(history: History, { observations: kept, transactions, ofCycle, looking }: Taken): CertifiedStatement[] {
  const { statements, observations } = history;
  const seen = new Map<number, ObservationObject[]>();
  for (const o of [...kept].sort((a, b) => a - b)) {
    const s = observations.statement[o]!;
    if (!seen.has(s)) seen.set(s, []);
    seen.get(s)!.push(observationAt(history, o));
  }
  const named = new Set([...seen.values()].flatMap((each) => each.flatMap(({ entries }) => entries)));
  const certified: CertifiedStatement[] = [];
  for (let s = 0; s < statements.count; s++) {
    const t = statements.txn[s]!;
    const write = `${history.transactions.id[t]}.${statements.seq[s]}`;
    if (transactions.has(t) && (ofCycle.has(t) || seen.has(s) || named.has(write) || (looking.size > 0 && statements.kind[s] === 'final')))
      certified.push(certifiedStatement(history, s, seen.get(s) ?? []));
  }
  return certified;
}

function certifiedStatement(history: History, s: number, seen: readonly ObservationObject[]): CertifiedStatement {
  const { seq, tables, reads, locks, undone, incomplete } = history.statements;
  const { txn, number, kind, status, sent, replied } = statementAt(history, s);
  return {
    txn,
    number,
    kind,
    ...(seq[s] !== NONE && { seq: seq[s]! }),
    ...(tables[s] && { table: tables[s].join(',') }),
    ...(reads[s] !== undefined && { reads: reads[s] }),
    ...(locks[s] !== undefined && { locks: locks[s] }),
    status,
    ...(undone[s] === 1 && { undone: true }),
    ...(incomplete[s] === 1 && { incomplete: true }),
    ...mismatchOf(history, s),
    sent,
    replied,
    seen: seen.map((each) => [each.role, each.table, each.rid, listText(each, '0')]), // A first entry without a comma was cut.
  };
}

function mismatchOf({ statusMismatches }: History, s: number): Pick<CertifiedStatement, 'statusMismatch'> | undefined {
  const found = statusMismatches.find(({ statement }) => statement === s);
  return found && { statusMismatch: { expected: found.expected, reported: found.reported } };
}

function certifiedPredicates(
  { predicates, statements, transactions, rows }: History,
  { rows: rowIds, looking }: Taken,
): CertifiedPredicate[] {
  const found: CertifiedPredicate[] = [];
  for (let p = 0; p < predicates.count; p++) {
    const s = predicates.statement[p]!;
    const table = predicates.table[p]!;
    if (!looking.has(s) || !rowIds.some((row) => rows.table[row] === table)) continue;
    const matches: Record<string, Record<string, boolean>> = {};
    const bits = predicates.matches[p];
    for (const k of (bits ?? '').split('').keys()) {
      const v = predicates.base[p]! + k;
      const row = predicates.row[v]!;
      if (!rowIds.includes(row) || bits![k] === '?') continue;
      (matches[rows.rid[row]!] ??= {})[`${transactions.id[predicates.txn[v]!]}.${predicates.seq[v]}`] = bits![k] === '1';
    }
    found.push({
      txn: transactions.id[statements.txn[s]!]!,
      number: statements.index[s]!,
      table,
      ...(predicates.beside[p] === 1 && { beside: true }),
      ...(predicates.when[p] !== undefined && { conditional: true }),
      ...(predicates.met[p] === 1 && { met: true }),
      ...(bits === undefined && { all: true }),
      matches,
    });
  }
  return found;
}
