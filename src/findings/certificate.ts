/**
 * What an anomaly rests on, taken out of the round's history raw (core/certificate.ts): all observations of its rows,
 * the statements and outcomes of every transaction that made one or that a list names, what the transactions of the
 * cycle sent. A transaction of unknown outcome counts as committed once a committed one has read its write, wherever
 * that was: those observations come along.
 */
import { NONE, ROLES, STATEMENT_STATUSES, TXN_OUTCOMES, TXN_STATUS } from '../../core/index.ts';
import type { Anomaly, Certificate, CertifiedPredicate, CertifiedStatement, CertifiedTxn, History } from '../../core/index.ts';

export function certificateOf(history: History, anomaly: Anomaly): Certificate {
  const { transactions, statements, observations, entries, rows, round } = history;
  const about = [...anomaly.cycle.flatMap(({ table, row }) => (table === undefined || row === undefined ? [] : [{ table, row }])), ...(anomaly.row ? [anomaly.row] : [])];
  const rowIds = [...new Set(about.map(({ row }) => rows.rid.indexOf(row)))].filter((row) => row >= 0);
  const ofCycle = new Set(anomaly.transactions.map((id) => transactions.id.indexOf(id)));
  const predicates = anomaly.cycle.filter(({ rel }) => rel === 'rwp' || rel === 'wrp');

  const kept = new Set<number>();
  for (let o = 0; o < observations.count; o++) {
    if (rowIds.includes(observations.row[o]!) || ofCycle.has(statements.txn[observations.statement[o]!]!)) kept.add(o);
  }
  const taking = new Set<number>(ofCycle);
  const names = (o: number): void => {
    taking.add(statements.txn[observations.statement[o]!]!);
    for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) taking.add(entries.txn[e]!);
  };
  for (const o of kept) names(o);
  if (predicates.length > 0) for (let s = 0; s < statements.count; s++) if (statements.kind[s] === 'final') taking.add(statements.txn[s]!);
  for (const t of taking) if (transactions.status[t] === TXN_STATUS.unknown) for (const o of readersOf(history, t)) if (!kept.has(o)) names((kept.add(o), o));
  taking.delete(0);

  const named = new Set<string>();
  const seen = new Map<number, [CertifiedStatement['seen'][number][0], string, string, string][]>();
  for (const o of [...kept].sort((a, b) => a - b)) {
    const s = observations.statement[o]!;
    const row = observations.row[o]!;
    let list = observations.whole[o] === 1 ? '' : '0'; // a first entry without a comma was cut
    for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) {
      list += `,${transactions.id[entries.txn[e]!]}.${entries.seq[e]}`;
      named.add(`${entries.txn[e]} ${entries.seq[e]}`);
    }
    if (!seen.has(s)) seen.set(s, []);
    seen.get(s)!.push([ROLES[observations.role[o]!]!, rows.table[row]!, rows.rid[row]!, list]);
  }

  const certified: CertifiedStatement[] = [];
  for (let s = 0; s < statements.count; s++) {
    const t = statements.txn[s]!;
    const wanted = ofCycle.has(t) || seen.has(s) || named.has(`${t} ${statements.seq[s]}`) || (predicates.length > 0 && statements.kind[s] === 'final');
    if (!wanted || !taking.has(t)) continue;
    certified.push({
      txn: transactions.id[t]!,
      number: statements.index[s]!,
      kind: statements.kind[s]!,
      ...(statements.seq[s] !== NONE && { seq: statements.seq[s]! }),
      ...(statements.table[s] !== undefined && { table: statements.table[s]! }),
      ...(statements.reads[s] !== undefined && { reads: statements.reads[s]! }),
      ...(statements.locks[s] !== undefined && { locks: statements.locks[s]! }),
      status: STATEMENT_STATUSES[statements.status[s]!]!,
      ...(statements.undone[s] === 1 && { undone: true }),
      ...(statements.incomplete[s] === 1 && { incomplete: true }),
      sent: statements.invokeAt[s]!,
      replied: finite(statements.replyAt[s]!),
      seen: seen.get(s) ?? [],
    });
  }
  return {
    version: 1,
    level: round.level,
    instrument: round.instrument,
    complete: history.complete,
    rows: rowIds.map((row) => ({ table: rows.table[row]!, row: rows.rid[row]! })),
    transactions: [...taking].filter((t) => transactions.present[t] === 1).sort((a, b) => a - b).map((t): CertifiedTxn => ({
      id: transactions.id[t]!,
      session: transactions.session[t]!,
      outcome: TXN_OUTCOMES[transactions.status[t]!]!,
      ...(transactions.autocommit[t] === 1 && { autocommit: true }),
      begin: finite(transactions.beginAt[t]!),
      end: finite(transactions.endAt[t]!),
      over: lastReply(history, t),
    })),
    statements: certified,
    predicates: predicates.length === 0 ? [] : predicatesOf(history, rowIds, new Set(predicates.flatMap(({ rel, fromStatement, toStatement }) => (rel === 'rwp' ? (fromStatement ?? []) : (toStatement ?? []))))),
  };
}

/** Of each transaction along the way from an unknown one to a committed reader: one observation that names a write of it. */
function readersOf({ transactions, statements, observations, entries }: History, unknown: number): number[] {
  const reached = new Set([unknown]);
  const found: number[] = [];
  for (let grew = true; grew; ) {
    grew = false;
    for (let o = 0; o < observations.count; o++) {
      const reader = statements.txn[observations.statement[o]!]!;
      if (reached.has(reader) || transactions.status[reader] === TXN_STATUS.aborted) continue;
      let names = false;
      for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) if (reached.has(entries.txn[e]!)) names = true;
      if (!names) continue;
      found.push(o);
      if (transactions.status[reader] === TXN_STATUS.unknown) {
        reached.add(reader);
        grew = true;
      }
    }
  }
  return found;
}

function predicatesOf({ predicates, statements, transactions, rows }: History, rowIds: readonly number[], wanted: ReadonlySet<number>): CertifiedPredicate[] {
  const found: CertifiedPredicate[] = [];
  for (let p = 0; p < predicates.count; p++) {
    const s = predicates.statement[p]!;
    const table = predicates.table[p]!;
    if (!wanted.has(s) || !rowIds.some((row) => rows.table[row] === table)) continue;
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
      ...(bits === undefined && { all: true }),
      matches,
    });
  }
  return found;
}

function lastReply({ statements }: History, txn: number): number | null {
  let last = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < statements.count; s++) if (statements.txn[s] === txn) last = Number.isNaN(statements.replyAt[s]) ? Number.POSITIVE_INFINITY : Math.max(last, statements.replyAt[s]!);
  return Number.isFinite(last) ? last : null;
}

function finite(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}
