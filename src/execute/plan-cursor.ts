/**
 * The position of a session in its plan: the open transaction, its next statement, its open savepoints, and the attempts
 * that are still needed.
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
  /** Transactions that need no further attempt. */
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

  /** Returns the number of steps not sent yet, if nothing fails. */
  stepsLeft(): number {
    let steps = this.open === undefined ? 0 : this.open.statements.length - this.position + 1;
    for (let i = this.next; i < this.plan.length; i++) steps += stepsOf(this.plan[i]!);
    return steps;
  }

  /** Opens the next transaction; undefined if there is none. */
  enter(): ProbedTxn | undefined {
    const txn = this.plan[this.next++];
    if (txn === undefined) return undefined;
    this.open = txn;
    this.position = 0;
    this.savepoints.clear();
    return txn;
  }

  /** Moves to the open transaction's next statement; undefined at its end. */
  advance(): ProbedStatement | undefined {
    const statement = this.open?.statements[this.position];
    if (statement !== undefined) this.position++;
    return statement;
  }

  /** Skips the rest of the open transaction except its end. */
  skipToEnd(): void {
    this.position = this.open?.statements.length ?? 0;
  }

  /** Notes that a statement of the open transaction has succeeded. */
  succeeded(statement: Statement): void {
    this.savepoints.succeeded(statement);
  }

  /** True if the plan goes back to an open savepoint later. */
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

  /** Closes the open transaction and skips attempts that are no longer needed. `refusal`: its last error. */
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
