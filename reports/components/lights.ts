/**
 * Makes the keys that tie one finding's parts together: the edges, statements, rows and transactions. An element
 * carries its own key and the keys that light up with it. The page's script knows nothing else. Keys are numbers, never
 * database text.
 */
import type { CycleStep } from '../../core/verdict/index.ts';
import type { Drawn } from './drawn.ts';

export interface Lights {
  readonly edgeKey: (step: number) => string;
  readonly statementKey: (index: number) => string;
  /** Returns undefined for rows that no edge of the cycle is about. */
  readonly rowKey: (table: string | undefined, row: string | undefined) => string | undefined;
  /** Returns the keys of the edge, its statements and its row. */
  readonly ofEdge: (step: number) => string;
  /** Returns the keys of the statement, its edges and its transaction. */
  readonly ofStatement: (index: number) => string;
  readonly ofRow: (key: string) => string;
  readonly txnKey: (id: number) => string;
  /** Returns the keys of the transaction, its edges, and those of its statements that are part of the anomaly. */
  readonly ofTxn: (id: number) => string;
}

export function lights(finding: Drawn): Lights {
  const { cycle, statements } = finding.anomaly;
  const on = new Set(statements);
  const resting = finding.statements.filter(({ index }) => on.has(index));
  const txnOf = new Map(resting.map(({ index, txn }) => [index, txn]));
  const txnKey = (id: number): string => `t${id}`;
  const edgeKey = (step: number): string => `e${step}`;
  const statementKey = (index: number): string => `s${index}`;
  const rows = new Map<string, string>();
  const nameOf = (table: string | undefined, row: string): string => JSON.stringify([table, row]);
  for (const step of cycle)
    if (step.row !== undefined && !rows.has(nameOf(step.table, step.row))) rows.set(nameOf(step.table, step.row), `r${rows.size}`);
  const rowKey = (table: string | undefined, row: string | undefined): string | undefined =>
    row === undefined ? undefined : rows.get(nameOf(table, row));
  const edgesWhere = (wanted: (step: CycleStep) => boolean): string[] =>
    cycle.flatMap((step, index) => (wanted(step) ? [edgeKey(index)] : []));
  return {
    edgeKey,
    statementKey,
    rowKey,
    ofEdge: (index) => {
      const step = cycle[index];
      if (step === undefined) return '';
      const ends = [step.fromStatement, step.toStatement].flatMap((end) => (end === undefined ? [] : [statementKey(end)]));
      const row = rowKey(step.table, step.row);
      return [edgeKey(index), ...ends, ...(row === undefined ? [] : [row])].join(' ');
    },
    ofStatement: (index) =>
      [
        statementKey(index),
        ...edgesWhere((step) => step.fromStatement === index || step.toStatement === index),
        ...(txnOf.has(index) ? [txnKey(txnOf.get(index)!)] : []),
      ].join(' '),
    ofRow: (key) => [key, ...edgesWhere((step) => rowKey(step.table, step.row) === key)].join(' '),
    txnKey,
    ofTxn: (id) =>
      [
        txnKey(id),
        ...edgesWhere((step) => step.from === id || step.to === id),
        ...resting.filter(({ txn }) => txn === id).map(({ index }) => statementKey(index)),
      ].join(' '),
  };
}
