/**
 * Events -> History, in one pass. The builder numbers the names in the events and parses the write lists. It decides
 * which writes took no effect (failed statements, rolled back savepoints) and how each transaction ended. It judges
 * nothing, and adds a note for each event that it cannot read.
 */
import type {
  FailEvent,
  HistoryEvent,
  Image,
  ImagesEvent,
  InvokeEvent,
  OkEvent,
  RoundEvent,
  SentKind,
  TxnOutcome,
  VersionTriples,
} from './event.ts';
import type { Level } from '../level/index.ts';
import type { Note } from './note.ts';
import type { ObjectOperation } from './object-operation.ts';
import { float64, int32, uint32, uint8, TXN_STATUS } from '../base/index.ts';
import { NONE, ROLE, STATEMENT_STATUS } from './history.ts';
import type { History, StatementError, StatementMismatch } from './history.ts';
import type { ReadsTag } from '../dialect/index.ts';
import { PredicateColumns } from './predicate-columns.ts';
import { parseRowId, readList } from './wire/write-list.ts';

/** The state of a transaction while its events arrive. */
interface OpenTxn {
  statements: number[];
  savepoints: { name: string; at: number }[];
  /** From an end event. */
  outcome: TxnOutcome | undefined;
  /** Concluded from the replies, for files that stop before the end event. */
  concluded: TxnOutcome | undefined;
}

export class HistoryBuilder {
  private readonly round: RoundEvent;
  private complete = false;
  private readonly statusMismatches: StatementMismatch[] = [];
  private readonly notes: Note[] = [];
  private readonly txnIndex = new Map<number, number>();
  private readonly open: OpenTxn[] = [];
  private readonly rowIndex = new Map<string, number>();
  private readonly txn = { id: int32(), session: int32(), beginAt: float64(), endAt: float64(), present: uint8(), autocommit: uint8() };
  private readonly txnLevel: (Level | undefined)[] = [];
  private readonly kind: SentKind[] = [];
  private readonly sql: string[] = [];
  private readonly operation: (ObjectOperation | undefined)[] = [];
  private readonly reads: (ReadsTag | undefined)[] = [];
  private readonly reason: (string | undefined)[] = [];
  private readonly tables: (readonly string[] | undefined)[] = [];
  private readonly locks: (readonly string[] | undefined)[] = [];
  private readonly names: (string | undefined)[] = [];
  private readonly error: (StatementError | undefined)[] = [];
  private readonly result: (readonly (readonly (string | null)[])[] | undefined)[] = [];
  private readonly st = {
    txn: int32(),
    index: int32(),
    seq: int32(),
    plan: int32(),
    status: uint8(),
    undone: uint8(),
    incomplete: uint8(),
    nested: uint8(),
    invokeAt: float64(),
    replyAt: float64(),
    rows: int32(),
    unchanged: uint8(),
    blocked: uint8(),
  };
  private readonly rid: string[] = [];
  private readonly ridTable: string[] = [];
  private readonly birthTxn = int32();
  private readonly birthSeq = int32();
  private readonly obs = { statement: int32(), row: int32(), role: uint8(), start: uint32(), length: uint32(), whole: uint8() };
  private readonly image: (Image | undefined)[] = [];
  private readonly entryTxn = int32();
  private readonly entrySeq = int32();
  private readonly images: ImagesEvent[] = [];
  private readonly predicates = new PredicateColumns({
    statement: (t, n) => this.openTxn(t).statements.find((s) => this.st.index.get(s) === n),
    transaction: (id) => this.transaction(id),
    row: (table, rid) => this.row(table, rid),
    note: (note) => void this.notes.push(note),
  });

  constructor(round: RoundEvent) {
    this.round = round;
    const initial = this.transaction(0);
    this.txn.present.set(initial, 1);
    this.open[initial]!.outcome = 'committed';
  }

  add(event: HistoryEvent): void {
    switch (event.e) {
      case 'invoke':
        return this.invoke(event);
      case 'ok':
        return this.ok(event);
      case 'fail':
        return this.fail(event);
      case 'end': {
        this.openTxn(event.t).outcome = event.outcome;
        return;
      }
      case 'close': {
        this.complete = event.complete;
        return;
      }
      case 'images': {
        this.images.push(event);
        for (const rid of event.rids) this.row(event.table, rid);
        return;
      }
      case 'versions':
      case 'predicate':
      case 'look':
      case 'evaluated':
        return this.predicates.add(event);
      case 'header':
      case 'round':
        return;
    }
  }

  finish(): History {
    const status = this.outcomes();
    return {
      round: this.round,
      complete: this.complete,
      transactions: {
        count: status.length,
        id: this.txn.id.done(),
        session: this.txn.session.done(),
        status,
        beginAt: this.txn.beginAt.done(),
        endAt: this.txn.endAt.done(),
        present: this.txn.present.done(),
        autocommit: this.txn.autocommit.done(),
        level: this.txnLevel,
      },
      statements: {
        count: this.kind.length,
        txn: this.st.txn.done(),
        index: this.st.index.done(),
        kind: this.kind,
        sql: this.sql,
        operation: this.operation,
        seq: this.st.seq.done(),
        plan: this.st.plan.done(),
        status: this.st.status.done(),
        undone: this.st.undone.done(),
        incomplete: this.st.incomplete.done(),
        reads: this.reads,
        reason: this.reason,
        tables: this.tables,
        locks: this.locks,
        nested: this.st.nested.done(),
        invokeAt: this.st.invokeAt.done(),
        replyAt: this.st.replyAt.done(),
        rows: this.st.rows.done(),
        error: this.error,
        unchanged: this.st.unchanged.done(),
        blocked: this.st.blocked.done(),
        result: this.result,
      },
      rows: { count: this.rid.length, rid: this.rid, table: this.ridTable, birthTxn: this.birthTxn.done(), birthSeq: this.birthSeq.done() },
      observations: {
        count: this.obs.statement.length,
        statement: this.obs.statement.done(),
        row: this.obs.row.done(),
        role: this.obs.role.done(),
        start: this.obs.start.done(),
        length: this.obs.length.done(),
        whole: this.obs.whole.done(),
        image: this.image,
      },
      entries: { count: this.entryTxn.length, txn: this.entryTxn.done(), seq: this.entrySeq.done() },
      ...this.predicates.finish(),
      statusMismatches: this.statusMismatches,
      images: this.images,
      notes: this.notes,
    };
  }

  /** The outcome from the end event, else from the replies. */
  private outcomes(): Uint8Array {
    return Uint8Array.from(this.open, ({ outcome, concluded }) => TXN_STATUS[outcome ?? concluded ?? 'unknown']);
  }

  private transaction(id: number): number {
    let t = this.txnIndex.get(id);
    if (t === undefined) {
      t = this.txn.id.push(id);
      this.txn.session.push(NONE);
      this.txn.beginAt.push(Number.NaN);
      this.txn.endAt.push(Number.NaN);
      this.txn.present.push(0);
      this.txn.autocommit.push(0);
      this.txnLevel.push(undefined);
      this.txnIndex.set(id, t);
      this.open.push({ statements: [], savepoints: [], outcome: undefined, concluded: undefined });
    }
    return t;
  }

  private openTxn(id: number): OpenTxn {
    return this.open[this.transaction(id)]!;
  }

  private invoke(event: InvokeEvent): void {
    const t = this.transaction(event.t);
    const statement = this.kind.length;
    if (this.txn.present.get(t) === 0) {
      this.txn.present.set(t, 1);
      this.txn.session.set(t, event.s);
      this.txn.beginAt.set(t, event.at);
      if (event.auto) this.txn.autocommit.set(t, 1);
      this.txnLevel[t] = event.level;
    }
    this.kind.push(event.k);
    this.sql.push(event.sql);
    this.operation.push(event.op);
    this.reads.push(event.reads);
    this.reason.push(event.reason);
    this.tables.push(event.table?.split(','));
    this.locks.push(event.locks);
    this.names.push(event.name);
    this.error.push(undefined);
    this.result.push(undefined);
    this.st.txn.push(t);
    this.st.index.push(event.n);
    this.st.seq.push(event.seq ?? NONE);
    this.st.plan.push(event.p ?? NONE);
    this.st.status.push(STATEMENT_STATUS.open);
    this.st.undone.push(0);
    this.st.incomplete.push(0);
    this.st.nested.push(event.nested ? 1 : 0);
    this.st.invokeAt.push(event.at);
    this.st.replyAt.push(Number.NaN);
    this.st.rows.push(NONE);
    this.st.unchanged.push(0);
    this.st.blocked.push(0);
    this.open[t]!.statements.push(statement);
  }

  /** The open statement that a reply belongs to. If there is none, returns NONE and adds a note. */
  private replied(event: OkEvent | FailEvent): number {
    const statements = this.openTxn(event.t).statements;
    for (let i = statements.length - 1; i >= 0; i--) {
      const s = statements[i]!;
      if (this.st.index.get(s) !== event.n) continue;
      if (this.st.status.get(s) !== STATEMENT_STATUS.open) break;
      this.st.replyAt.set(s, event.at);
      if (event.blocked) this.st.blocked.set(s, 1);
      if (event.status) this.statusMismatches.push({ statement: s, ...event.status });
      return s;
    }
    this.notes.push({ code: 'reply-without-statement', data: { transaction: event.t, statement: event.n } });
    return NONE;
  }

  private ok(event: OkEvent): void {
    const s = this.replied(event);
    if (s === NONE) return;
    const t = this.st.txn.get(s);
    const txn = this.open[t]!;
    this.st.status.set(s, STATEMENT_STATUS.ok);
    if (event.rows !== undefined) this.st.rows.set(s, event.rows);
    if (event.changed === 0) this.st.unchanged.set(s, 1);
    if (event.incomplete !== undefined) {
      this.st.incomplete.set(s, 1);
      this.reason[s] ??= event.incomplete;
    }
    this.result[s] = event.result;
    if (event.r) this.observe(s, ROLE.read, event.r);
    if (event.w) this.observe(s, ROLE.write, event.w, event.i);
    if (event.d) this.observe(s, ROLE.delete, event.d);
    const kind = this.kind[s]!;
    const name = this.names[s];
    if (kind === 'savepoint') txn.savepoints.push({ name: name ?? '', at: txn.statements.length });
    else if (kind === 'rollback to') this.rollbackTo(txn, name ?? '');
    else if (kind === 'release') this.release(txn, name ?? '');
    else if (kind === 'rollback') txn.concluded = 'aborted';
    else if (kind === 'commit' || this.txn.autocommit.get(t) === 1) {
      txn.concluded = event.tag === 'rollback' ? 'aborted' : 'committed';
      if (txn.concluded === 'committed') this.txn.endAt.set(t, event.at);
    }
  }

  private rollbackTo(txn: OpenTxn, name: string): void {
    const at = txn.savepoints.findLastIndex((p) => p.name === name);
    const savepoint = txn.savepoints[at];
    if (savepoint === undefined) return;
    for (const s of txn.statements.slice(savepoint.at)) this.st.undone.set(s, 1);
    txn.concluded = undefined; // the server took the statement, so no failure before it has ended the transaction
    txn.savepoints.length = at + 1; // the savepoint itself stays
  }

  private release(txn: OpenTxn, name: string): void {
    const at = txn.savepoints.findLastIndex((p) => p.name === name);
    if (at >= 0) txn.savepoints.length = at;
  }

  private fail(event: FailEvent): void {
    const s = this.replied(event);
    if (s === NONE) return;
    const t = this.st.txn.get(s);
    const txn = this.open[t]!;
    this.st.status.set(s, STATEMENT_STATUS.failed);
    this.st.undone.set(s, 1);
    this.error[s] = { code: event.code, class: event.class, message: event.message };
    const ends = this.kind[s] === 'commit' || this.txn.autocommit.get(t) === 1;
    if (event.scope === 'connection' || event.class === 'ambiguous commit') txn.concluded = ends ? 'unknown' : 'aborted';
    else if (event.scope === 'transaction' || ends) txn.concluded ??= 'aborted';
  }

  private observe(statement: number, role: number, triples: VersionTriples, images?: readonly Image[]): void {
    for (let i = 0; i + 2 < triples.length; i += 3) {
      const start = this.entryTxn.length;
      const row = this.row(triples[i]!, triples[i + 1]!);
      const readable =
        row !== NONE &&
        readList(triples[i + 2]!, (txn, seq) => {
          this.entryTxn.push(this.transaction(txn));
          this.entrySeq.push(seq);
        });
      const length = this.entryTxn.length - start;
      if (!readable || length === 0) {
        this.notes.push({ code: 'list-unreadable', data: { statement, row: triples[i + 1]!, list: triples[i + 2]! } });
        this.st.incomplete.set(statement, 1);
        this.entryTxn.length = start;
        this.entrySeq.length = start;
        continue;
      }
      this.obs.statement.push(statement);
      this.obs.row.push(row);
      this.obs.role.push(role);
      this.obs.start.push(start);
      this.obs.length.push(length);
      const whole =
        this.txn.id.get(this.entryTxn.get(start)) === this.birthTxn.get(row) && this.entrySeq.get(start) === this.birthSeq.get(row);
      this.obs.whole.push(whole ? 1 : 0);
      this.image.push(images?.[i / 3]);
    }
  }

  private row(table: string, rid: string): number {
    const known = this.rowIndex.get(rid);
    if (known !== undefined) {
      if (this.ridTable[known] === '') this.ridTable[known] = table; // paper mode: a compound query does not tell
      return known;
    }
    const birth = parseRowId(rid);
    if (birth === undefined) return NONE;
    const row = this.rid.push(rid) - 1;
    this.ridTable.push(table);
    this.birthTxn.push(birth.txn);
    this.birthSeq.push(birth.seq);
    this.rowIndex.set(rid, row);
    return row;
  }
}
