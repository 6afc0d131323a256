/**
 * Where a session is in its plan: the open transaction, its next statement, its open savepoints, and which of the further
 * attempts at a transaction are needed still.
 */
import { REFUSED } from '../../core/index.ts';
import type { ClassifiedError, ErrorClass, ProbedStatement, ProbedTxn, Statement, TxnOutcome } from '../../core/index.ts';

export class PlanCursor {
  private readonly plan: readonly ProbedTxn[];
  private next = 0;
  private open: ProbedTxn | undefined;
  private position = 0;
  private savepoints: string[] = [];
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
    this.savepoints = [];
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
    if (statement.kind === 'savepoint') this.savepoints.push(statement.name);
    if (statement.kind !== 'rollbackTo' && statement.kind !== 'release') return;
    const at = this.savepoints.lastIndexOf(statement.name);
    if (at >= 0) this.savepoints.length = statement.kind === 'release' ? at : at + 1;
  }

  /** Goes to where the plan can go on after a failure, its next ROLLBACK TO an open savepoint; false: nowhere. */
  recover(error: ClassifiedError): boolean {
    if (this.open === undefined || REFUSED.has(error.class)) return false;
    for (let i = this.position; i < this.open.statements.length; i++) {
      const { statement } = this.open.statements[i]!;
      if (statement.kind !== 'rollbackTo' || !this.savepoints.includes(statement.name)) continue;
      this.position = i;
      return true;
    }
    return false;
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
