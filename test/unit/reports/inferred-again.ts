/**
 * The judge of verify: the history that a certificate holds, in the columns that infer/ reads, and what infer/ concludes
 * from it. Whatever verify accepts, this must find too.
 */
import { classifyCycle } from '../../../check/index.ts';
import { TXN_STATUS } from '../../../core/base/index.ts';
import { REL } from '../../../core/level/index.ts';
import { NONE, ROLE, STATEMENT_STATUS } from '../../../core/history/index.ts';
import type { RelName } from '../../../core/level/index.ts';
import type { History } from '../../../core/history/index.ts';
import type { Anomaly, Certificate } from '../../../core/verdict/index.ts';
import { inferDependencies } from '../../../infer/index.ts';

/** Are the anomaly's edges, or itself where it is no cycle, inferred from the certificate alone? */
export function inferredAgain(anomaly: Anomaly, certificate: Certificate): boolean {
  const history = historyOf(certificate);
  const graph = inferDependencies(history);
  const { id } = history.transactions;
  if (anomaly.cycle.length === 0) {
    // Inference tells one of a kind for two transactions, whatever the row; of forks one a row.
    return graph.anomalies.some(
      (each) =>
        each.class === anomaly.class &&
        (each.class === 'fork'
          ? history.rows.rid[each.row] === anomaly.row?.row
          : each.transactions.every((t) => anomaly.transactions.includes(id[t]!))),
    );
  }
  const edges = new Set<string>();
  for (let v = 0; v < graph.txnCount; v++) {
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++) {
      if (graph.targets[e]! < graph.txnCount)
        edges.add(`${id[v]} ${id[graph.targets[e]!]} ${graph.rels[e]} ${history.rows.rid[graph.edges.row[graph.evidence[e]!]!] ?? ''}`);
    }
  }
  const times = new Map(certificate.transactions.map((txn) => [txn.id, txn]));
  const closed = anomaly.cycle.every(({ to }, i) => anomaly.cycle[(i + 1) % anomaly.cycle.length]!.from === to);
  return (
    closed &&
    classifyCycle(anomaly.cycle.map(({ rel }) => REL[rel])) === anomaly.class &&
    anomaly.cycle.every(({ from, to, rel, row }) => {
      if (rel === 'rt') return (times.get(from)?.end ?? Infinity) < (times.get(to)?.begin ?? -Infinity);
      // Inference joins neighbours of a session; a cycle may be told by those further apart.
      if (rel === 'so')
        return (
          times.get(from)?.session === times.get(to)?.session && (times.get(from)?.begin ?? Infinity) < (times.get(to)?.begin ?? -Infinity)
        );
      return edges.has(`${from} ${to} ${REL[rel satisfies RelName]} ${row}`);
    })
  );
}

function historyOf({ level, instrument, complete, transactions, statements, predicates, rows: about }: Certificate): History {
  const ids = [
    ...new Set([
      0,
      ...transactions.map(({ id }) => id),
      ...statements.map(({ txn }) => txn),
      ...statements.flatMap(({ seen }) => seen.flatMap(([, , , list]) => entriesOf(list).map(([txn]) => txn))),
    ]),
  ];
  const txns = ids.map((id) => transactions.find((txn) => txn.id === id));
  const rids: { row: string; table: string }[] = [];
  const row = (rid: string, table: string): number => {
    const at = rids.findIndex((each) => each.row === rid);
    return at >= 0 ? at : rids.push({ row: rid, table }) - 1;
  };
  for (const each of about) row(each.row, each.table);
  const seen = statements
    .flatMap(({ seen: own }, statement) =>
      own.map(([role, table, rid, list]) => ({ statement, role: ROLE[role], row: row(rid, table), entries: entriesOf(list) })),
    )
    .filter(({ entries }) => entries.length > 0);
  const entries = seen.flatMap((each) => each.entries);
  const births = rids.map((each) => (/^r(\d+)\.(\d+)_/.exec(each.row)?.slice(1) ?? ['-2', '-2']).map(Number));
  let at = 0;
  const starts = seen.map((each) => (at += each.entries.length) - each.entries.length);
  const versions = [
    ...new Set(
      predicates.flatMap(({ matches }) =>
        Object.entries(matches).flatMap(([rid, bits]) => Object.keys(bits).map((key) => `${rid} ${key}`)),
      ),
    ),
  ];
  const none = statements.map(() => undefined);
  return {
    round: {
      e: 'round',
      round: 0,
      seed: '',
      dialect: '',
      server: '',
      level,
      mode: 'stress',
      instrument: instrument as 'exact',
      sessions: 0,
      endpoints: [],
      tables: [],
      configuration: {},
    },
    complete,
    statusMismatches: statements.flatMap(({ statusMismatch }, statement) => (statusMismatch ? [{ statement, ...statusMismatch }] : [])),
    transactions: {
      count: ids.length,
      id: Int32Array.from(ids),
      session: Int32Array.from(txns, (txn) => txn?.session ?? NONE),
      status: Uint8Array.from(txns, (txn, i) => (i === 0 ? TXN_STATUS.committed : TXN_STATUS[txn?.outcome ?? 'unknown'])),
      beginAt: Float64Array.from(txns, (txn) => txn?.begin ?? Number.NaN),
      endAt: Float64Array.from(txns, (txn) => txn?.end ?? Number.NaN),
      present: Uint8Array.from(txns, (txn, i) => (i === 0 || txn ? 1 : 0)),
      autocommit: Uint8Array.from(txns, (txn) => (txn?.autocommit ? 1 : 0)),
      level: [],
    },
    statements: {
      count: statements.length,
      txn: Int32Array.from(statements, ({ txn }) => ids.indexOf(txn)),
      index: Int32Array.from(statements, ({ number }) => number),
      kind: statements.map(({ kind }) => kind),
      sql: statements.map(() => ''),
      operation: none,
      seq: Int32Array.from(statements, ({ seq }) => seq ?? NONE),
      plan: Int32Array.from(statements, () => NONE),
      status: Uint8Array.from(statements, ({ status }) => STATEMENT_STATUS[status]),
      undone: Uint8Array.from(statements, ({ undone }) => (undone ? 1 : 0)),
      incomplete: Uint8Array.from(statements, ({ incomplete }) => (incomplete ? 1 : 0)),
      reads: statements.map(({ reads }) => reads as 'exact'),
      reason: none,
      tables: statements.map(({ table }) => table?.split(',')),
      locks: statements.map(({ locks }) => locks),
      nested: new Uint8Array(statements.length),
      invokeAt: Float64Array.from(statements, ({ sent }) => sent),
      replyAt: Float64Array.from(statements, ({ replied }) => replied ?? Number.NaN),
      rows: Int32Array.from(statements, () => NONE),
      unchanged: new Uint8Array(statements.length),
      error: none,
      blocked: new Uint8Array(statements.length),
      result: none,
    },
    rows: {
      count: rids.length,
      rid: rids.map((each) => each.row),
      table: rids.map(({ table }) => table),
      birthTxn: Int32Array.from(births, ([txn]) => txn!),
      birthSeq: Int32Array.from(births, ([, seq]) => seq!),
    },
    observations: {
      count: seen.length,
      statement: Int32Array.from(seen, ({ statement }) => statement),
      row: Int32Array.from(seen, (each) => each.row),
      role: Uint8Array.from(seen, ({ role }) => role),
      start: Uint32Array.from(starts),
      length: Uint32Array.from(seen, (each) => each.entries.length),
      whole: Uint8Array.from(seen, (each) => (each.entries[0]!.join() === births[each.row]!.join() ? 1 : 0)),
      image: seen.map(() => undefined),
    },
    entries: {
      count: entries.length,
      txn: Int32Array.from(entries, ([txn]) => ids.indexOf(txn)),
      seq: Int32Array.from(entries, ([, seq]) => seq),
    },
    predicates: {
      count: predicates.length,
      statement: Int32Array.from(predicates, ({ txn, number }) =>
        statements.findIndex((each) => each.txn === txn && each.number === number),
      ),
      table: predicates.map(({ table }) => table),
      base: new Int32Array(predicates.length),
      size: Int32Array.from(predicates, () => versions.length),
      matches: predicates.map(({ all, matches }) =>
        all
          ? undefined
          : versions
              .map((each) => ({ true: '1', false: '0' })[String(matches[each.split(' ')[0]!]?.[each.split(' ')[1]!])] ?? '?')
              .join(''),
      ),
      beside: Uint8Array.from(predicates, ({ beside }) => (beside ? 1 : 0)),
      when: predicates.map(() => undefined),
      met: Uint8Array.from(predicates, ({ met }) => (met ? 1 : 0)),
      row: Int32Array.from(versions, (each) => rids.findIndex((known) => known.row === each.split(' ')[0])),
      txn: Int32Array.from(versions, (each) => ids.indexOf(Number(each.split(' ')[1]!.split('.')[0]))),
      seq: Int32Array.from(versions, (each) => Number(each.split('.').at(-1))),
    },
    unobservedReads: {
      count: 0,
      statement: new Int32Array(0),
      table: [],
      why: [],
      base: new Int32Array(0),
      size: new Int32Array(0),
      matches: [],
    },
    images: [],
    notes: [],
  };
}

function entriesOf(list: string): [number, number][] {
  const found = [...list.slice(list.indexOf(',')).matchAll(/,(\d+)\.(\d+)/g)].map((entry): [number, number] => [
    Number(entry[1]),
    Number(entry[2]),
  ]);
  return found.filter((entry, i) => i === 0 || entry.join() !== found[i - 1]!.join());
}
