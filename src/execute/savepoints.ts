/** The open savepoints of a transaction, derived from its statements so far. */
import type { Statement } from '../../core/index.ts';

export class Savepoints {
  private names: string[] = [];

  /** True if a savepoint is open. */
  get any(): boolean {
    return this.names.length > 0;
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** Forgets all savepoints, as a new transaction has none. */
  clear(): void {
    this.names = [];
  }

  /** Notes a statement that has succeeded. ROLLBACK TO keeps the savepoint that it names, RELEASE does not. */
  succeeded(statement: Statement): void {
    if (statement.kind === 'savepoint') this.names.push(statement.name);
    if (statement.kind !== 'rollbackTo' && statement.kind !== 'release') return;
    const at = this.names.lastIndexOf(statement.name);
    if (at >= 0) this.names.length = statement.kind === 'release' ? at : at + 1;
  }
}
