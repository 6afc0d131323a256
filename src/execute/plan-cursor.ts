/**
 * Where a session is in its plan: the open transaction, its next statement, its open savepoints, and which of the further
 * attempts at a transaction are needed still.
 */
import { REFUSED } from '../../core/index.ts';
import type { ErrorClass, ProbedStatement, ProbedTxn, Statement, TxnOutcome } from '../../core/index.ts';
import { Savepoints } from './savepoints.ts';

export class PlanCursor {
  private readonly plan: readonly ProbedTxn[];
  private next = 0;
  private open: ProbedTxn | undefined;
  private position = 0;
  private readonly savepoints = new Savepoints();
  /** Transactions that need no other attempt. */
  private readonly settled = new Set<number>();

  constructor(plan: readonly ProbedTxn[]) {
    this.plan = plan;
  }

  /** The open transaction. */
  get txn(): ProbedTxn | undefined {
    return this.open;
  }

  get done(): boolean {
    return this.open === undefined && this.next >= this.plan.length;
  }

  /** Steps not sent yet, if nothing fails. */
  stepsLeft(): number {
    let steps = this.open === undefined ? 0 : this.open.statements.length - this.position + 1;
    for (let i = this.next; i < this.plan.length; i++) steps += stepsOf(this.plan[i]!);
    return steps;
  }

  /** Opens the next transaction; undefined where there is none. */
  enter(): ProbedTxn | undefined {
    const txn = this.plan[this.next++];
    if (txn === undefined) return undefined;
    this.open = txn;
    this.position = 0;
    this.savepoints.clear();
    return txn;
  }

  /** The open transaction's next statement; undefined at its end. */
  advance(): ProbedStatement | undefined {
    const statement = this.open?.statements[this.position];
    if (statement !== undefined) this.position++;
    return statement;
  }

  /** The rest of the open transaction is passed over, but for its end. */
  skipToEnd(): void {
    this.position = this.open?.statements.length ?? 0;
  }

  /** A statement of the open transaction has succeeded. */
  succeeded(statement: Statement): void {
    this.savepoints.succeeded(statement);
  }

  /** The plan goes back to an open savepoint later on. */
  get maySave(): boolean {
    return this.saving() >= 0;
  }

  /** Goes to the plan's next ROLLBACK TO an open savepoint. */
  recover(): void {
    const at = this.saving();
    if (at >= 0) this.position = at;
  }

  private saving(): number {
    return (
      this.open?.statements.findIndex(
        ({ statement }, i) => i >= this.position && statement.kind === 'rollbackTo' && this.savepoints.has(statement.name),
      ) ?? -1
    );
  }

  /** The open transaction is over; `refusal`: its last error. Attempts that are not needed any more are passed over. */
  leave(outcome: TxnOutcome, refusal: ErrorClass | undefined): void {
    if (outcome !== 'aborted' || refusal === undefined || !REFUSED.has(refusal)) this.settled.add(this.open!.id);
    this.open = undefined;
    for (let txn = this.plan[this.next]; txn?.retryOf !== undefined && this.settled.has(txn.retryOf); txn = this.plan[this.next]) {
      this.settled.add(txn.id);
      this.next++;
    }
  }
}

function stepsOf(txn: ProbedTxn): number {
  return txn.autocommit ? 1 : txn.statements.length + 2;
}
