/**
 * The observations of an uninstrumented key-value round. A value that was written once names the write that made it
 * (named-writes.ts). So the history gets an observation for each read and write, with the one version that it saw or
 * made.
 *
 * A statement contributes nothing if it failed, found no row or left its row as it was. (An UPDATE to the present value
 * makes no version on MySQL and MariaDB, so it hides no write and conflicts with none.) A statement without a reply
 * counts unless its transaction is known to have committed without it. A compare-and-set that changed its row has read
 * what it expected.
 *
 * The key-value checkers get the same observations as a KvHistory, with transactions named by their ids. A transaction
 * that is not known to have committed has a session of its own there. Its session's later transactions are not known to
 * come after its commit.
 */
import { KvHistoryBuilder } from '../../../../check/index.ts';
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, int32, uint32, uint8 } from '../../../../core/index.ts';
import type { History, KvHistory, Note } from '../../../../core/index.ts';
import { KEY_VALUE_TABLE } from '../../../../schema-gen/index.ts';
import type { KeyValueAccess, ObservedAccesses } from './accesses.ts';
import { impossibleReads, withDoubt } from './impossible-reads.ts';
import type { ImpossibleReads, OddRead } from './impossible-reads.ts';
import { namedWrites, spelt } from './named-writes.ts';

export interface ObservedKeyValues {
  /** The round's history with rows (one for each object) and observations. */
  readonly history: History;
  readonly accesses: readonly KeyValueAccess[];
  /** Statements that failed, by their values (`spelt`). No transaction should read these values. */
  readonly failed: ReadonlyMap<string, number>;
  /** The round has compare-and-sets. */
  readonly lightweight: boolean;
  /** Reads that are no version. */
  readonly impossible: ImpossibleReads;
}

export function observeKeyValues(history: History): ObservedKeyValues {
  const observed = accessesOf(history);
  const { failed, missing, notes, lightweight } = observed;
  const { statements } = history;
  const { all, writeOf, doubt } = namedWrites(history, observed);
  const isValue = ({ value, write }: KeyValueAccess): boolean => write || /^\d+$/.test(value ?? '');
  const accesses = all.filter(isValue);
  const odd = all
    .filter((access) => !isValue(access))
    .map(({ statement, key, value = null }): OddRead => ({ statement, key, saw: { value } }));
  const columns = new ObservationColumns();
  for (const access of accesses) {
    const { statement, key, write, value } = access;
    if (write) columns.add(statement, key, ROLE.write, statements.txn[statement]!, statements.seq[statement]!);
    else if (value === '0') columns.add(statement, key, ROLE.read, 0, 0);
    else {
      const by = writeOf(access);
      if (by !== undefined) columns.add(statement, key, ROLE.read, statements.txn[by]!, statements.seq[by]!);
    }
  }
  return {
    history: {
      ...history,
      ...columns.finish(),
      statements: { ...statements, reads: shownReads(statements) },
      notes: [...history.notes, ...notes],
    },
    accesses,
    failed,
    // The checker of lightweight transactions needs values that are written once.
    lightweight: lightweight && history.round.contents !== 'repeated',
    impossible: withDoubt(impossibleReads(history, { accesses: observed.accesses, missing }, odd), doubt),
  };
}

export function accessesOf(history: History): ObservedAccesses {
  const { statements, transactions } = history;
  const accesses: KeyValueAccess[] = [];
  const failed = new Map<string, number>();
  const missing: Pick<KeyValueAccess, 'statement' | 'key'>[] = [];
  const unanswered: string[] = [];
  /** Pairs of a transaction and a late object that it has looked up. */
  const looked = new Set<string>();
  let lightweight = false;
  for (let s = 0; s < statements.count; s++) {
    const t = statements.txn[s]!;
    const operation = statements.operation[s];
    if (operation === undefined) continue;
    if (operation.do === 'read') {
      const { key, expected } = operation;
      if (statements.status[s] !== STATEMENT_STATUS.ok) continue;
      if (operation.late) looked.add(`${t} ${key}`);
      if (statements.rows[s] === 0 && key !== undefined && operation.late) accesses.push(absentAt(s, key));
      else if (statements.rows[s] === 0 && key !== undefined && expected === undefined) missing.push({ statement: s, key });
      for (const row of statements.result[s] ?? [])
        accesses.push({
          statement: s,
          key: key ?? Number(row[0]),
          write: false,
          value: row.at(-1) ?? undefined,
          ...(operation.late && { late: true }),
        });
      continue;
    }
    const { key } = operation;
    const { value, expected, ifAbsent } = operation.do === 'write' ? operation : NOTHING_STATED;
    const written = value === undefined ? undefined : String(value);
    lightweight ||= expected !== undefined;
    // The connection was lost during an autocommit statement, so its write may have been made.
    const open = transactions.autocommit[t] === 1 && transactions.status[t] === TXN_STATUS.unknown;
    const unmet = (expected !== undefined || ifAbsent === true) && statements.rows[s] === 0;
    if (unmet || (!open && (statements.status[s] === STATEMENT_STATUS.failed || statements.undone[s] === 1))) {
      if (written !== undefined) failed.set(spelt(key, written), s);
      continue;
    }
    if (statements.rows[s] === 0) {
      missing.push({ statement: s, key });
      continue;
    }
    if (statements.unchanged[s] === 1) continue;
    if (statements.status[s] === STATEMENT_STATUS.open && transactions.status[t] === TXN_STATUS.committed) {
      unanswered.push(spelt(key, written));
      continue;
    }
    if (expected !== undefined && expected !== null) accesses.push({ statement: s, key, write: false, value: String(expected) });
    // The object was inserted, so it was absent before. A transaction that looked before has an observation already.
    if (ifAbsent === true && statements.status[s] === STATEMENT_STATUS.ok && !looked.has(`${t} ${key}`)) accesses.push(absentAt(s, key));
    accesses.push({ statement: s, key, write: true, value: written });
  }
  const notes: Note[] = [];
  if (missing.length > 0) notes.push({ code: 'rows-missing', data: { statements: missing.length } });
  if (unanswered.length > 0) notes.push({ code: 'writes-unanswered', data: { writes: unanswered.length } });
  return { accesses, failed, unanswered, lightweight, missing, notes };
}

/** The list names an append's element, so its fields hold none. */
const NOTHING_STATED = { value: undefined, expected: undefined, ifAbsent: undefined } as const;

/** An object that was absent at first and still is counts as one that holds its initial value. */
function absentAt(statement: number, key: number): KeyValueAccess {
  return { statement, key, write: false, value: '0', late: true };
}

/** The values of a query show everything that it read. The state that a write found is not observed. */
export function shownReads({ kind, reads, status }: History['statements']): History['statements']['reads'] {
  return reads.map((tag, s) =>
    tag === undefined || status[s] !== STATEMENT_STATUS.ok ? tag : kind[s] === 'select' || kind[s] === 'final' ? 'exact' : 'none',
  );
}

/** Builds the columns of rows and observations. The initial state is transaction 0. */
export class ObservationColumns {
  private readonly columns = { statement: int32(), row: int32(), role: uint8(), start: uint32(), length: uint32(), whole: uint8() };
  private readonly entryTxn = int32();
  private readonly entrySeq = int32();

  /** Adds one observation with one entry. */
  add(statement: number, row: number, role: number, txn: number, seq: number): void {
    this.open(statement, row, role);
    this.entry(txn, seq);
    this.close(false);
  }

  open(statement: number, row: number, role: number): void {
    this.columns.statement.push(statement);
    this.columns.row.push(row);
    this.columns.role.push(role);
    this.columns.start.push(this.entryTxn.length);
  }

  entry(txn: number, seq: number): void {
    this.entryTxn.push(txn);
    this.entrySeq.push(seq);
  }

  close(whole: boolean): void {
    this.columns.length.push(this.entryTxn.length - this.columns.start.get(this.columns.start.length - 1));
    this.columns.whole.push(whole ? 1 : 0);
  }

  /** Row n is the object with key n. */
  finish(rowName: (key: number) => string = String): Pick<History, 'rows' | 'observations' | 'entries'> {
    const { statement, row, role, start, length, whole } = this.columns;
    let objects = 0;
    for (let o = 0; o < row.length; o++) objects = Math.max(objects, row.get(o) + 1);
    return {
      rows: {
        count: objects,
        rid: Array.from({ length: objects }, (_, key) => rowName(key)),
        table: Array.from({ length: objects }, () => KEY_VALUE_TABLE),
        birthTxn: new Int32Array(objects),
        birthSeq: new Int32Array(objects),
      },
      observations: {
        count: statement.length,
        statement: statement.done(),
        row: row.done(),
        role: role.done(),
        start: start.done(),
        length: length.done(),
        whole: whole.done(),
        image: [],
      },
      entries: { count: this.entryTxn.length, txn: this.entryTxn.done(), seq: this.entrySeq.done() },
    };
  }
}

export function kvHistoryOf({ history, accesses }: ObservedKeyValues): KvHistory {
  const { transactions, statements } = history;
  const builder = new KvHistoryBuilder('zero');
  const handles = new Int32Array(transactions.count).fill(NONE);
  for (let t = 1; t < transactions.count; t++) {
    if (transactions.present[t] !== 1) continue;
    const id = String(transactions.id[t]);
    const session = transactions.status[t] === TXN_STATUS.committed ? String(transactions.session[t]) : `of ${id} alone`;
    handles[t] = builder.txn(builder.session(session), id, transactions.status[t], transactions.id[t]);
    builder.setTimes(handles[t]!, transactions.beginAt[t]!, transactions.endAt[t]!);
    builder.setLevel(handles[t]!, transactions.level[t] ?? history.round.level);
  }
  for (const { statement, key, write, value } of accesses) {
    const handle = handles[statements.txn[statement]!]!;
    if (handle === NONE || value === undefined) continue;
    if (write) builder.write(handle, key, BigInt(value));
    else builder.read(handle, key, BigInt(value));
  }
  return builder.finish();
}
