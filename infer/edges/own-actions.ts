/**
 * Tells what a transaction's own earlier statements may have done to a table's rows through a foreign key's action that
 * no list shows. ON DELETE CASCADE may have removed rows, only in the transaction's own view if the row was lost at
 * COMMIT. SET NULL, SET DEFAULT and ON UPDATE may have changed columns. If the foreign keys are known, only tables that
 * these actions reach are in doubt.
 */
import { NONE, ROLE, sentKindsThat } from '../../core/index.ts';
import type { History, Reference } from '../../core/index.ts';
import { cascadingInto } from '../versions/cascades.ts';

export class OwnActions {
  private readonly history: History;
  /** The first write of each transaction that took effect. */
  private readonly firstWrite: Int32Array;
  /** The first statement that deleted rows, or may have, by transaction and table. */
  private readonly firstDelete: ReadonlyMap<number, ReadonlyMap<string, number>>;
  private readonly reaching = new Map<string, ReadonlySet<string> | undefined>();
  private readonly changed: ReadonlySet<string> | undefined;

  constructor(history: History) {
    const { references } = history.round;
    this.history = history;
    this.firstWrite = firstWrites(history);
    this.firstDelete = firstDeletes(history);
    this.changed =
      references && new Set([...references.filter(changesColumns).map(({ table }) => table), ...(history.round.followed ?? [])]);
  }

  /** Tells whether an earlier statement of the transaction may have removed rows of the table by a cascade. */
  mayHaveRemoved(s: number, table: string): boolean {
    if (this.history.round.followed?.includes(table) === true && this.mayHaveChanged(s, table)) return true;
    const deletes = this.firstDelete.get(this.history.statements.txn[s]);
    if (deletes === undefined) return false;
    if (!this.reaching.has(table)) this.reaching.set(table, cascadingInto(table, this.history.round.references));
    const above = this.reaching.get(table);
    for (const [from, first] of deletes) if (first < s && (above === undefined || above.has(from))) return true;
    return false;
  }

  /** Tells whether an earlier statement of the transaction may have made a row version that no list shows. */
  mayHaveChanged(s: number, table: string): boolean {
    const first = this.firstWrite[this.history.statements.txn[s]];
    return first !== NONE && first < s && this.changed?.has(table) !== false;
  }
}

function changesColumns({ onDelete, onUpdate }: Reference): boolean {
  return onUpdate !== 'no action' || onDelete === 'set null' || onDelete === 'set default';
}

function firstWrites({ statements, transactions }: History): Int32Array {
  const first = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--)
    if (statements.seq[s] !== NONE && statements.undone[s] === 0) first[statements.txn[s]] = s;
  return first;
}

const DELETING = sentKindsThat('may delete');

/**
 * A REPLACE deletes too. A statement that does not show its rows may have deleted any row of the tables that it names.
 */
function firstDeletes({ statements, observations, rows }: History): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const found = new Map<number, Map<string, number>>();
  const add = (s: number, table: string): void => {
    const txn = statements.txn[s];
    let of = found.get(txn);
    if (of === undefined) found.set(txn, (of = new Map()));
    if (s < (of.get(table) ?? Infinity)) of.set(table, s);
  };
  for (let o = 0; o < observations.count; o++)
    if (observations.role[o] === ROLE.delete) add(observations.statement[o], rows.table[observations.row[o]]);
  for (let s = 0; s < statements.count; s++)
    if (statements.incomplete[s] === 1 && DELETING.has(statements.kind[s]))
      for (const table of statements.tables[s] ?? rows.table) add(s, table);
  return found;
}
