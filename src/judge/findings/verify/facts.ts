/** The facts of a certificate: who committed, which statements count, and the outcome of each write. */
import type { Cert, Numbered, Stmt, Txn } from './certified.ts';

export type Outcome = 'committed' | 'aborted' | 'unknown' | 'thin air';

export class Facts {
  readonly cert: Cert;
  readonly txns: ReadonlyMap<number, Txn>;
  /** The writing statements by `<txn>.<seq>`. */
  readonly byWrite: ReadonlyMap<string, Stmt>;
  readonly committed: Set<number>;
  private readonly byPlace: ReadonlyMap<string, Stmt>;
  private readonly numbered: Numbered;

  constructor(cert: Cert, numbered: Numbered) {
    this.cert = cert;
    this.numbered = numbered;
    this.txns = new Map(cert.transactions.map((txn) => [txn.id, txn]));
    this.byPlace = new Map(cert.statements.map((stmt) => [`${stmt.txn} ${stmt.number}`, stmt]));
    this.byWrite = new Map(cert.statements.filter(({ seq }) => seq !== undefined).map((stmt) => [`${stmt.txn}.${stmt.seq}`, stmt]));
    this.committed = new Set([0, ...cert.transactions.filter(({ outcome }) => outcome === 'committed').map(({ id }) => id)]);
    // Where dirty reads are allowed, a read proves no commit.
    if (cert.level !== 'read-uncommitted') while (this.committedByReaders()) continue;
  }

  /** An unknown transaction has committed if a committed one read its write. Returns true if one more has. */
  private committedByReaders(): boolean {
    const before = this.committed.size;
    for (const stmt of this.cert.statements) {
      if (!this.committed.has(stmt.txn) || !this.counts(stmt)) continue;
      for (const [, table, , list] of stmt.seen) {
        for (const key of entriesOf(list))
          if (this.byWrite.has(key) && this.outcomeOf(key, table) === 'unknown') this.committed.add(Number(key.split('.')[0]));
      }
    }
    return this.committed.size > before;
  }

  /** True if a statement occurs twice, or a read has written. */
  get contradictsItself(): boolean {
    const { statements } = this.cert;
    const twice =
      this.byPlace.size < statements.length ||
      statements.some((each) => each.seq !== undefined && each.kind !== 'probe' && this.byWrite.get(`${each.txn}.${each.seq}`) !== each);
    return twice || statements.some(({ seq, seen }) => seq === undefined && seen.some(([role]) => role !== 'read'));
  }

  statementAt(index: number | undefined): Stmt | undefined {
    const [found, ...more] = this.numbered.filter((each) => each.index === index);
    return found && more.length === 0 ? this.byPlace.get(`${found.txn} ${found.number}`) : undefined;
  }

  /** True if the statement took effect, provided that its transaction did. */
  counts(stmt: Stmt): boolean {
    return stmt.status === 'ok' && (!stmt.undone || this.txns.get(stmt.txn)?.autocommit === true);
  }

  outcomeOf(key: string, table: string): Outcome {
    const { complete } = this.cert;
    const txn = Number(key.split('.')[0]);
    const write = this.byWrite.get(key);
    if (txn === 0) return key === '0.0' ? 'committed' : complete ? 'thin air' : 'unknown';
    if (this.txns.get(txn)?.outcome === 'aborted') return 'aborted';
    if (write === undefined || !this.txns.has(txn)) return complete ? 'thin air' : 'unknown';
    if (complete && table !== '' && tablesOf(write)?.includes(table) === false) return 'thin air';
    if (write.undone && !this.txns.get(txn)?.autocommit) return 'aborted';
    return this.committed.has(txn) ? 'committed' : 'unknown';
  }
}

/** Returns the tables that a write writes. A file has them separated by commas. */
export function tablesOf({ table }: Stmt): readonly string[] | undefined {
  return table?.split(',');
}

/** Returns the entries of a list. Adjacent repeats of one entry are one write. */
export function entriesOf(list: string): string[] {
  return list
    .slice(list.indexOf(',') + 1)
    .split(',')
    .filter((entry, i, all) => entry !== all[i - 1]);
}
