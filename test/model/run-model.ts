/**
 * Runs a probed case on the model under a seeded random interleaving and records it as a run on a server is recorded:
 * core's events, the same decoder, a final read, a close. Beside the history it keeps what only the model knows: which
 * versions every statement truly read and wrote.
 */
import {
  HISTORY_FORMAT,
  HISTORY_VERSION,
  HistoryBuilder,
  InternalError,
  decodeObservations,
  isQuery,
  writtenTables,
  referencesOf,
} from '../../core/index.ts';
import type {
  HistoryEvent,
  History,
  InvokeEvent,
  Level,
  ProbedCase,
  ProbedStatement,
  ProbedTxn,
  Random,
  ReadsTag,
  RoundEvent,
  Savepoint,
  SentKind,
  Statement,
  TxnOutcome,
} from '../../core/index.ts';
import { Database } from './database.ts';
import type { Answer, DatabaseOptions } from './database.ts';
import type { Rule } from './rules.ts';
import type { PredicateRead } from './query.ts';
import { isLive, newest } from './store.ts';
import type { Row, StoredTable, Version } from './store.ts';
import { canonicalText } from './values.ts';

/** A statement that succeeded, as it truly was. */
export interface TrueStatement {
  readonly txn: number;
  readonly n: number;
  readonly kind: SentKind;
  /** Item reads: the versions that satisfied its FROM and WHERE. */
  readonly reads: readonly Version[];
  readonly writes: readonly Version[];
  /** What it was planned as; absent for the runner's own. */
  readonly original?: Statement;
  /** As in Answer; absent for the runner's own. */
  readonly predicateReads?: readonly PredicateRead[];
  readonly picked?: ReadonlyMap<Row, Version>;
  readonly tag?: ReadsTag;
  /** Its observations name all it read and wrote (but for the silent versions), and nothing else. */
  readonly full: boolean;
  /** The probe claims that they do. */
  readonly claimed: boolean;
  /** A savepoint's rollback took it back. */
  undone: boolean;
}

interface TrueTxn {
  readonly id: number;
  readonly session: number;
  outcome: TxnOutcome;
  beginAt: number;
  /** Reply of COMMIT. */
  endAt: number;
}

export interface ModelRun {
  readonly events: readonly HistoryEvent[];
  readonly history: History;
  readonly database: Database;
  readonly transactions: ReadonlyMap<number, TrueTxn>;
  readonly statements: readonly TrueStatement[];
  /** Replies in order without what instrumentation adds: the same case sent bare must give the same. */
  readonly transcript: readonly string[];
}

const LEVEL_OF: Readonly<Record<Rule, Level>> = {
  serial: 'serializable',
  'read-committed': 'read-committed',
  snapshot: 'snapshot-isolation',
  serializable: 'serializable',
};

interface Session {
  readonly number: number;
  readonly transactions: readonly ProbedTxn[];
  next: number;
  txn: ProbedTxn | undefined;
  /** Next statement of the plan, and the next number as sent. */
  at: number;
  n: number;
  failed: boolean;
  /** Open ones, each with the number of the statement that comes after it. */
  savepoints: { readonly name: string; readonly n: number }[];
  /** What the paper's probe before the next DELETE showed. */
  probed: readonly string[] | undefined;
  /** The statement that waits for a lock. */
  waiting: { readonly probed: ProbedStatement; readonly n: number } | undefined;
}

export function runModel(probed: ProbedCase, options: DatabaseOptions): ModelRun {
  return new Run(probed, options).run();
}

class Run {
  private readonly probed: ProbedCase;
  private readonly options: DatabaseOptions;
  private readonly random: Random;
  private readonly database: Database;
  private readonly sessions: Session[];
  private readonly events: HistoryEvent[] = [];
  private readonly transactions = new Map<number, TrueTxn>();
  private readonly statements: TrueStatement[] = [];
  private readonly transcript: string[] = [];
  private tick = 0;

  constructor(probed: ProbedCase, options: DatabaseOptions) {
    this.probed = probed;
    this.options = options;
    this.random = options.random.fork('interleaving');
    this.database = new Database(probed.schema, { ...options, random: options.random.fork('database') });
    this.sessions = probed.sessions.map(({ transactions }, number) => ({
      number,
      transactions,
      next: 0,
      txn: undefined,
      at: 0,
      n: 0,
      failed: false,
      savepoints: [],
      probed: undefined,
      waiting: undefined,
    }));
  }

  run(): ModelRun {
    const { seed } = this.probed.testCase;
    const round: RoundEvent = {
      e: 'round',
      round: 0,
      seed,
      dialect: 'model',
      server: 'model',
      level: LEVEL_OF[this.options.rule],
      mode: 'schedule',
      instrument: this.probed.mode,
      sessions: this.sessions.length,
      endpoints: ['model'],
      tables: this.probed.schema.tables.map((table) => table.name),
      references: referencesOf(this.probed.testCase.schema),
      configuration: {},
    };
    this.events.push({ e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 'model', seed }, round);
    this.transactions.set(0, { id: 0, session: -1, outcome: 'committed', beginAt: -1, endAt: 0 });
    if (this.probed.images) {
      for (const table of this.database.tables) {
        const initial = table.rows.map((row) => row.versions[0]!);
        this.events.push({
          e: 'images',
          table: table.definition.name,
          rids: initial.map(({ row }) => row.rid),
          images: initial.map(imageOf),
        });
      }
    }
    for (let session = this.choose(); session !== undefined; session = this.choose()) this.step(session);
    if (this.probed.mode !== 'none') this.finalRead();
    this.events.push({ e: 'close', round: 0, at: ++this.tick, complete: true });
    const builder = new HistoryBuilder(round);
    for (const event of this.events) builder.add(event);
    return {
      events: this.events,
      history: builder.finish(),
      database: this.database,
      transactions: this.transactions,
      statements: this.statements,
      transcript: this.transcript,
    };
  }

  /** Any session that can go on; under the serial rule the one whose transaction is open. */
  private choose(): Session | undefined {
    const unfinished = this.sessions.filter((session) => session.txn !== undefined || session.next < session.transactions.length);
    if (unfinished.length === 0) return undefined;
    const ready = unfinished.filter((session) => session.waiting === undefined);
    if (ready.length === 0) throw new InternalError('the model let every session wait');
    const inside = this.options.rule === 'serial' ? ready.filter((session) => session.txn !== undefined) : [];
    return this.random.pick(inside.length > 0 ? inside : ready);
  }

  private step(session: Session): void {
    const { txn } = session;
    if (txn === undefined) return this.begin(session);
    if (session.failed) return this.recover(session, txn);
    const probed = txn.statements[session.at];
    if (probed === undefined) return this.end(session, txn, txn.end);
    if (probed.before && session.probed === undefined) return this.probe(session, txn, { original: probed.original, ...probed.before });
    session.at++;
    this.send(session, txn, probed);
  }

  /** The paper's SELECT ... FOR UPDATE before a DELETE; outside a transaction its locks are gone at once. */
  private probe(session: Session, txn: ProbedTxn, probed: ProbedStatement): void {
    const n = this.invoke(session, txn.id, 'probe', 'probe', { reads: probed.probe.reads });
    this.attempt(session, txn, probed, n, false);
  }

  private begin(session: Session): void {
    const txn = session.transactions[session.next++]!;
    Object.assign(session, { txn, at: 0, n: 0, failed: false, savepoints: [], probed: undefined });
    this.database.begin(txn.id);
    this.transactions.set(txn.id, { id: txn.id, session: session.number, outcome: 'unknown', beginAt: this.tick + 1, endAt: Number.NaN });
    if (txn.autocommit) return this.step(session);
    this.invoke(session, txn.id, 'begin', 'BEGIN', { endpoint: 0 });
    this.reply(session, txn.id, { level: LEVEL_OF[this.options.rule], backend: String(session.number) });
  }

  /** After an error: on to the next ROLLBACK TO of a savepoint that is open, else out (sometimes by a COMMIT that rolls back). */
  private recover(session: Session, txn: ProbedTxn): void {
    const next = txn.statements.findIndex(
      ({ statement }, i) =>
        i >= session.at && statement.kind === 'rollbackTo' && session.savepoints.some(({ name }) => name === statement.name),
    );
    if (next < 0) return this.end(session, txn, this.random.chance(0.2) ? 'commit' : 'rollback');
    session.failed = false;
    session.at = next + 1;
    this.send(session, txn, txn.statements[next]!);
  }

  private send(session: Session, txn: ProbedTxn, probed: ProbedStatement): void {
    const { statement, probe, seq } = probed;
    const written = writtenTables(statement);
    const n = this.invoke(session, txn.id, sentKind(statement), statement.kind, {
      p: txn.statements.indexOf(probed),
      ...(seq !== undefined && { seq }),
      ...(written.length > 0 && { table: written.join(',') }),
      ...('name' in statement && { name: statement.name }),
      ...(!('name' in statement) && { reads: probe.reads }),
      ...(probe.reason !== undefined && { reason: probe.reason }),
      ...(txn.autocommit && { auto: true as const }),
    });
    this.attempt(session, txn, probed, n, false);
  }

  private attempt(session: Session, txn: ProbedTxn, probed: ProbedStatement, n: number, waited: boolean): void {
    // The paper's SELECT before a DELETE is a statement of its own.
    const planned = isQuery(probed.statement) && !isQuery(probed.original) ? probed.statement : probed.original;
    const outcome = this.database.execute(txn.id, probed.statement, n, planned);
    if (outcome.kind === 'blocked') {
      session.waiting = { probed, n };
      if (!waited) this.transcript.push(`${txn.id}.${n} blocked by ${outcome.on.join(' ')}`);
      return;
    }
    session.waiting = undefined;
    const blocked = waited ? { blocked: true as const } : {};
    if (outcome.kind === 'ok' && probed.original.kind === 'delete' && probed.statement.kind === 'select') {
      return this.succeedProbe(session, txn, probed, n, outcome, blocked);
    }
    if (outcome.kind === 'ok' && (!txn.autocommit || this.committed(txn))) {
      this.succeed(session, txn, probed, n, outcome, blocked);
      if (txn.autocommit) this.closed(session, txn, 'committed');
      else if (probed.statement.kind === 'rollbackTo') this.wake();
      return;
    }
    const error = outcome.kind === 'error' ? outcome.error : this.refused!;
    this.transcript.push(`${txn.id}.${n} ${error.code}`);
    session.failed = true;
    session.probed = undefined;
    const scope = txn.statements.slice(session.at).some(({ statement }) => statement.kind === 'rollbackTo') ? 'statement' : 'transaction';
    this.events.push({
      e: 'fail',
      s: session.number,
      t: txn.id,
      n,
      at: ++this.tick,
      code: error.code,
      class: error.class,
      scope,
      message: error.message,
      ...blocked,
    });
    if (txn.autocommit) {
      if (outcome.kind === 'error') this.database.rollback(txn.id);
      this.closed(session, txn, 'aborted');
    } else this.wake();
  }

  private refused: { readonly code: string; readonly class: 'serialization'; readonly message: string } | undefined;

  /** Commits an autocommit statement; what refused it is kept for the reply. */
  private committed(txn: ProbedTxn): boolean {
    const outcome = this.database.commit(txn.id);
    if (outcome.kind === 'ok') return true;
    this.refused = { code: outcome.error.code, class: 'serialization', message: outcome.error.message };
    return false;
  }

  private succeedProbe(
    session: Session,
    txn: ProbedTxn,
    { probe }: ProbedStatement,
    n: number,
    answer: Answer,
    blocked: { blocked?: true },
  ): void {
    const rows = answer.rows.map((row) => row.map(canonicalText));
    session.probed = decodeObservations(probe, { columns: answer.columns, rows, affected: answer.affected }).triples;
    this.reply(session, txn.id, { rows: answer.affected, ...blocked }, n);
    this.statements.push({ txn: txn.id, n, kind: 'probe', reads: answer.reads, writes: [], full: false, claimed: false, undone: false });
    if (!txn.autocommit) return;
    this.database.rollback(txn.id);
    this.database.begin(txn.id);
    this.wake();
  }

  private succeed(
    session: Session,
    txn: ProbedTxn,
    { original, statement, probe }: ProbedStatement,
    n: number,
    answer: Answer,
    blocked: { blocked?: true },
  ): void {
    const rows = answer.rows.map((row) => row.map(canonicalText));
    const decoded = decodeObservations(probe, { columns: answer.columns, rows, affected: answer.affected });
    const doubtful = session.probed !== undefined && session.probed.length !== 3 * answer.affected;
    const triples = doubtful ? [] : (session.probed ?? decoded.triples);
    const { userRows, auxiliaryReads = [], removed = [], images } = decoded;
    const affected = isQuery(statement) ? (decoded.rows ?? answer.affected) : answer.affected;
    session.probed = undefined;
    const role = ({ read: 'r', write: 'w', delete: 'd', change: 'w' } as const)[probe.role];
    this.transcript.push(`${txn.id}.${n} ok ${affected} ${JSON.stringify(userRows)}`);
    this.reply(
      session,
      txn.id,
      {
        rows: affected,
        ...(auxiliaryReads.length > 0 && { r: auxiliaryReads }),
        ...(triples.length > 0 && { [role]: triples }),
        ...(removed.length > 0 && { d: removed }),
        ...(images !== undefined && { i: images }),
        ...(probe.userColumns > 0 && { result: userRows }),
        ...(doubtful && { incomplete: 'the probe before it locked another number of rows' }),
        ...blocked,
      },
      n,
    );
    if ('name' in statement) return this.savepoint(session, statement);
    // RETURNING shows a write's own versions; what it read beside them is shown apart.
    const beside = new Set(answer.beside);
    const shown =
      probe.role === 'change'
        ? answer.writes.filter((version) => !version.untracked).map((version) => (version.values === null ? version.parent! : version))
        : role === 'w'
          ? answer.writes.filter((version) => !version.untracked)
          : role === 'd'
            ? answer.writes.filter((version) => !version.untracked).map((version) => version.parent!)
            : answer.reads;
    this.statements.push({
      txn: txn.id,
      n,
      kind: sentKind(statement),
      reads: answer.reads,
      writes: answer.writes,
      original,
      tag: probe.reads,
      predicateReads: answer.predicateReads,
      picked: answer.picked,
      full: sameSet(named(shown), namedByTriples([...triples, ...removed])) && sameSet(named([...beside]), namedByTriples(auxiliaryReads)),
      claimed: probe.reads === 'exact',
      undone: false,
    });
  }

  private savepoint(session: Session, { kind, name }: Savepoint): void {
    const at = session.savepoints.findLastIndex((savepoint) => savepoint.name === name);
    if (kind === 'savepoint') session.savepoints.push({ name, n: session.n });
    else if (kind === 'release') session.savepoints.length = at;
    else {
      const { n } = session.savepoints[at]!;
      for (const statement of this.statements) if (statement.txn === session.txn!.id && statement.n >= n) statement.undone = true;
      session.savepoints.length = at + 1;
    }
  }

  private end(session: Session, txn: ProbedTxn, how: 'commit' | 'rollback'): void {
    const n = this.invoke(session, txn.id, how, how.toUpperCase(), {});
    if (how === 'rollback') {
      this.database.rollback(txn.id);
      this.reply(session, txn.id, {}, n);
      return this.closed(session, txn, 'aborted');
    }
    const outcome = this.database.commit(txn.id);
    this.transcript.push(`${txn.id}.${n} commit ${outcome.kind === 'ok' ? outcome.tag : outcome.error.code}`);
    if (outcome.kind === 'ok') this.reply(session, txn.id, { tag: outcome.tag }, n);
    else {
      const { code, message } = outcome.error;
      this.events.push({
        e: 'fail',
        s: session.number,
        t: txn.id,
        n,
        at: ++this.tick,
        code,
        class: outcome.error.class,
        scope: 'transaction',
        message,
      });
    }
    this.closed(session, txn, outcome.kind === 'ok' && outcome.tag === 'commit' ? 'committed' : 'aborted');
  }

  private closed(session: Session, txn: ProbedTxn, outcome: TxnOutcome): void {
    const truth = this.transactions.get(txn.id)!;
    truth.outcome = outcome;
    if (outcome === 'committed') truth.endAt = this.tick;
    this.events.push({ e: 'end', s: session.number, t: txn.id, at: ++this.tick, outcome });
    session.txn = undefined;
    this.wake();
  }

  /** Locks were given up: whoever waits tries again. */
  private wake(): void {
    for (const session of this.random.shuffle(this.sessions)) {
      const { waiting, txn } = session;
      if (waiting && txn) this.attempt(session, txn, waiting.probed, waiting.n, true);
    }
  }

  /** A transaction of its own that reads every row left, table by table. */
  private finalRead(): void {
    const id = Math.max(0, ...this.transactions.keys()) + 1;
    const session = { number: this.sessions.length, n: 0 };
    const truth: TrueTxn = { id, session: session.number, outcome: 'committed', beginAt: this.tick + 1, endAt: Number.NaN };
    this.transactions.set(id, truth);
    this.invoke(session, id, 'begin', 'BEGIN', { endpoint: 0 });
    this.reply(session, id, { level: LEVEL_OF[this.options.rule], backend: 'final' });
    for (const table of this.database.tables) {
      const reads = table.rows.map(newest).filter(isLive);
      const n = this.invoke(session, id, 'final', table.definition.name, { reads: 'exact' });
      this.reply(
        session,
        id,
        {
          rows: reads.length,
          r: reads.flatMap((version) => [table.definition.name, ...ridAndList(version)]),
          ...(this.probed.images && { result: reads.map(imageOf) }),
        },
        n,
      );
      this.statements.push({ txn: id, n, kind: 'final', reads, writes: [], full: true, claimed: true, undone: false });
    }
    const n = this.invoke(session, id, 'commit', 'COMMIT', {});
    this.reply(session, id, { tag: 'commit' }, n);
    truth.endAt = this.tick;
    this.events.push({ e: 'end', s: session.number, t: id, at: ++this.tick, outcome: 'committed' });
  }

  private invoke(session: Pick<Session, 'number' | 'n'>, t: number, k: SentKind, sql: string, more: Partial<InvokeEvent>): number {
    const n = session.n++;
    this.events.push({ e: 'invoke', s: session.number, t, n, k, at: ++this.tick, sql, ...more });
    return n;
  }

  private reply(session: Pick<Session, 'number' | 'n'>, t: number, more: object, n = session.n - 1): void {
    this.events.push({ e: 'ok', s: session.number, t, n, at: ++this.tick, ...more });
  }
}

function sentKind(statement: Statement): SentKind {
  if (statement.kind === 'select') return statement.lock ? `select for ${statement.lock.strength}` : 'select';
  if (statement.kind === 'unionAll' || statement.kind === 'setOperation') return 'select';
  if (statement.kind === 'withWrites') return 'with';
  if (statement.kind === 'changeTable') throw new InternalError(`${statement.kind} is not instrumented: none may be planned for a run`);
  if (statement.kind === 'advisoryLock') return 'advisory lock';
  if (statement.kind === 'lockTable') return 'lock table';
  return statement.kind === 'rollbackTo' ? 'rollback to' : statement.kind;
}

function ridAndList(version: Version): [string, string] {
  const { ridColumn, listColumn } = version.row.table;
  return [canonicalText(version.values![ridColumn]!)!, canonicalText(version.values![listColumn]!)!];
}

/** The user columns as text. */
function imageOf({ values, row: { table } }: Version): (string | null)[] {
  return usersOf(table).map((c) => canonicalText(values![c]!));
}

function usersOf(table: StoredTable): readonly number[] {
  return table.columns
    .map((_, c) => c)
    .filter((c) => c !== table.ridColumn && c !== table.listColumn && table.definition.columns[c]!.generated === undefined);
}

function named(versions: readonly Version[]): Set<string> {
  return new Set(versions.filter((version) => version.row.table.ridColumn >= 0).map((version) => ridAndList(version).join(' ')));
}

function namedByTriples(triples: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i + 2 < triples.length; i += 3) names.add(`${triples[i + 1]} ${triples[i + 2]}`);
  return names;
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
