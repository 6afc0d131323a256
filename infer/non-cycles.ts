/**
 * Finds the anomalies that need no cycle. Each is decided on one list, compared with the known outcomes of its entries:
 * aborted reads (G1a), intermediate reads (G1b), contradictions with the transaction's own writes (internal), forks,
 * duplicates, thin air. A status mismatch rests on no list, but on the protocol's transaction status beside a reply.
 * Adya 1999, 4.2.2 defines G1a and G1b. check/cycles/levels.ts says which levels forbid each class.
 */
import { NONE, ROLE, wordingOf } from '../core/index.ts';
import type { History, NonCycleAnomaly, NonCycleClass, NonCycleShape, StatementMismatch, TransactionStatus } from '../core/index.ts';
import { KeyTable } from './key-table.ts';
import { movedBetween, shownBeside } from './versions/moved.ts';
import { OwnWrites } from './versions/own-writes.ts';
import type { Readings } from './versions/readings.ts';
import type { Disagreement, VersionOrder } from './versions/order.ts';
import { WRITE_OUTCOME } from './versions/writers.ts';
import type { Writers } from './versions/writers.ts';

/** The number of links followed to prove that a list is older than an own write. */
const WALK = 64;

/** A number for each class, to tell reports about one pair of transactions apart. */
const KINDS: Readonly<Record<NonCycleClass, number>> = {
  G1a: 0,
  G1b: 1,
  internal: 2,
  fork: 3,
  'duplicate-write': 4,
  'thin-air': 5,
  'status-mismatch': 6,
};
const IN_WORDS: Readonly<Record<TransactionStatus, string>> = {
  outside: 'outside any transaction',
  inside: 'inside a transaction',
  failed: 'in a failed transaction',
};
const SHAPES: Readonly<Record<NonCycleShape, number>> = { 'dirty read': 1, 'dirty update': 2, 'intermediate read': 4, 'moved row': 8 };

export function findNonCycles(history: History, readings: Readings, order: VersionOrder, writers: Writers): readonly NonCycleAnomaly[] {
  const lists = new ListChecks(history, readings, order, writers);
  for (const disagreement of order.disagreements) lists.disagreement(disagreement);
  for (let i = 0; i < readings.count; i++) lists.reading(i);
  for (const mismatch of history.statusMismatches) lists.statusMismatch(mismatch);
  return lists.anomalies;
}

/** One list that a statement saw of a row. */
interface Reading {
  readonly observation: number;
  readonly statement: number;
  readonly reader: number;
  readonly row: number;
  readonly role: number;
  /**
   * The entries of the list. `found` is where the entries end that the statement found: its own new entry is not part
   * of them.
   */
  readonly from: number;
  readonly found: number;
  readonly end: number;
}

class ListChecks {
  readonly anomalies: NonCycleAnomaly[] = [];
  private readonly history: History;
  private readonly readings: Readings;
  private readonly order: VersionOrder;
  private readonly writers: Writers;
  private readonly own: OwnWrites;
  private readonly say: ReturnType<typeof wordingOf>;
  private readonly reported = new KeyTable();
  /** The last observation whose list holds each version. */
  private readonly inList: Int32Array;

  constructor(history: History, readings: Readings, order: VersionOrder, writers: Writers) {
    this.history = history;
    this.readings = readings;
    this.order = order;
    this.writers = writers;
    // The paper's probe does not prove that the row was deleted.
    this.own = new OwnWrites(order, writers, history.round.instrument !== 'paper');
    this.say = wordingOf(history);
    this.inList = new Int32Array(order.count).fill(NONE);
  }

  /** Reports two lists of a row that no order of its versions explains, or one list that names a write twice. */
  disagreement({ kind, versions, observations: shown }: Disagreement): void {
    const { order, say } = this;
    const { statements, observations } = this.history;
    const row = order.row[versions[0]];
    const seen = shown.map((o) => observations.statement[o]);
    const readers = seen.map((s) => statements.txn[s]);
    const said = (): string => shown.map((o) => `${say.statement(observations.statement[o])} saw ${say.list(o)}`).join(', ');
    const why =
      kind === 'fork'
        ? 'no order of its versions explains both, so a committed write was lost'
        : `the write ${this.nameOf(versions[0])} is there twice`;
    const involved = [...new Set([...readers, ...versions.map((v) => order.txn[v])])].filter((t) => t !== 0);
    this.report(
      kind,
      [],
      involved,
      [...seen, ...versions.map((v) => this.writerOf(v))],
      row,
      () => `On ${say.row(row)} ${said()}: ${why}.`,
    );
  }

  reading(i: number): void {
    const { readings, order, inList } = this;
    const { statements, observations } = this.history;
    const observation = readings.observation[i];
    const statement = observations.statement[observation];
    const role = readings.role[i];
    const end = readings.end[i];
    const found = role === ROLE.write ? end - 1 : end;
    const reading = {
      observation,
      statement,
      reader: statements.txn[statement],
      row: observations.row[observation],
      role,
      from: observations.start[observation],
      found,
      end,
    };
    const lastCommitted = this.lastCommitted(reading);
    for (let e = reading.from; e < found; e++) {
      const v = order.versionOf[e];
      inList[v] = observation;
      if (order.writeOutcome[v] === WRITE_OUTCOME.thinAir) this.thinAir(reading, v);
      else if (order.writeOutcome[v] === WRITE_OUTCOME.aborted) this.aborted(reading, v, e < lastCommitted);
    }
    if (found > reading.from) this.intermediate(reading, order.versionOf[found - 1]);
    this.ownWrites(reading);
  }

  statusMismatch({ statement, expected, reported }: StatementMismatch): void {
    this.report(
      'status-mismatch',
      [],
      [this.history.statements.txn[statement]],
      [statement],
      NONE,
      () =>
        `After ${this.say.statement(statement)} the protocol said that the session is ${IN_WORDS[reported]}, not ${IN_WORDS[expected]}.`,
    );
  }

  private thinAir(reading: Reading, v: number): void {
    const { statement, reader, row } = reading;
    this.report(
      'thin-air',
      [],
      [reader, this.order.txn[v]],
      [statement],
      row,
      () => `${this.saw(reading)}, but no transaction made the write ${this.nameOf(v)} there.`,
    );
  }

  /**
   * Reports that the list names version v, which was undone. `builtOn` says that a committed write follows it there.
   */
  private aborted(reading: Reading, v: number, builtOn: boolean): void {
    const { statement, reader, row, role } = reading;
    const writer = this.order.txn[v];
    if (writer === reader) {
      this.report(
        'internal',
        [],
        [reader],
        [statement, this.writerOf(v)],
        row,
        () => `${this.saw(reading)}, but its own write ${this.nameOf(v)} had been undone.`,
      );
      return;
    }
    const shapes: NonCycleShape[] = role === ROLE.read ? (builtOn ? ['dirty read', 'dirty update'] : ['dirty read']) : ['dirty update'];
    const built = builtOn ? ', and a committed write is built on it' : '';
    this.report(
      'G1a',
      shapes,
      [reader, writer],
      [statement, this.writerOf(v)],
      row,
      () => `${this.saw(reading)}, but the write ${this.nameOf(v)} was undone${built}.`,
    );
  }

  /** Returns the place of the list's last committed write, or NONE. */
  private lastCommitted({ from, end }: Reading): number {
    const { writeOutcome, versionOf } = this.order;
    for (let e = end - 1; e >= from; e--) if (writeOutcome[versionOf[e]] === WRITE_OUTCOME.committed) return e;
    return NONE;
  }

  /** Reports a read of a version that is not the last one of its transaction on this row. */
  private intermediate({ statement, reader, row }: Reading, v: number): void {
    const { order, own, say } = this;
    const writer = order.txn[v];
    if (writer === reader || order.writeOutcome[v] !== WRITE_OUTCOME.committed) return;
    const last = own.last(row, writer);
    if (order.seq[last] <= order.seq[v]) return;
    const replaced = order.dead[last] === 1 ? 'deleted the row by' : 'replaced it by';
    const text = (): string =>
      `${say.statement(statement)} read version ${this.nameOf(v)} of ${say.row(row)}, but ${say.txn(writer)} ${replaced} ${this.nameOf(last)} before it committed.`;
    this.report('G1b', ['intermediate read'], [reader, writer], [statement, this.writerOf(v), this.writerOf(last)], row, text);
  }

  /** Checks the reader's own writes of this row: the earlier ones must be in the list, the later ones must not. */
  private ownWrites(reading: Reading): void {
    const { order, own, inList, say } = this;
    const { observation, statement, reader, row } = reading;
    const early = this.ownLater(reading);
    if (early !== NONE) {
      this.report(
        'internal',
        [],
        [reader],
        [statement, this.writerOf(early)],
        row,
        () => `${this.saw(reading)}, but makes its own write ${this.nameOf(early)} only later.`,
      );
    }
    const latest = own.lastBefore(row, reader, statement);
    if (latest === NONE || inList[latest] === observation) return;
    const w = this.writerOf(latest);
    if (order.dead[latest] === 1) {
      this.report(
        'internal',
        this.movedTo(reading, latest),
        [reader],
        [statement, w],
        row,
        () => `${this.saw(reading)}, but ${say.statement(w)} had deleted it.`,
      );
    } else if (this.certainlyWithout(reading, latest)) {
      this.report(
        'internal',
        this.movedTo(reading, latest),
        [reader],
        [statement, w],
        row,
        () => `${this.saw(reading)}, without its own earlier write ${this.nameOf(latest)} by ${say.statement(w)}.`,
      );
    }
  }

  /** Returns the newest version in the list that the reader makes only after the statement, or NONE. */
  private ownLater({ from, found, statement, reader }: Reading): number {
    const { txn, writeOutcome, dead, versionOf } = this.order;
    let newest = NONE;
    for (let e = from; e < found; e++) {
      const v = versionOf[e];
      if (v <= newest || txn[v] !== reader || writeOutcome[v] !== WRITE_OUTCOME.committed || dead[v] === 1) continue;
      if (this.writerOf(v) > statement) newest = v;
    }
    return newest;
  }

  /** Tells whether another transaction gave the row another key after the version read and before the own write. */
  private movedTo({ from, found, statement }: Reading, write: number): readonly NonCycleShape[] {
    const { history, order } = this;
    return found > from &&
      (movedBetween(history, order, order.versionOf[found - 1], write) || shownBeside(history, order, statement, write))
      ? ['moved row']
      : [];
  }

  /** Tells whether this own write is missing because the list is older, and not because its front was cut off. */
  private certainlyWithout({ observation, from, found }: Reading, write: number): boolean {
    const { order } = this;
    if (this.history.observations.whole[observation] === 1) return true;
    let v = found > from ? order.versionOf[found - 1] : NONE;
    for (let step = 0; v !== NONE && step < WALK; step++, v = order.next[v]) if (v === write) return true;
    return false;
  }

  /**
   * Reports each kind once for two transactions. A scan that meets twenty rows of one aborted writer is one finding.
   */
  private report(
    kind: NonCycleClass,
    shapes: readonly NonCycleShape[],
    transactions: readonly number[],
    seen: readonly number[],
    row: number,
    explanation: () => string,
  ): void {
    const before = this.reported.size;
    const tag = KINDS[kind] * 16 + shapes.reduce((sum, shape) => sum + SHAPES[shape], 0);
    if (this.reported.add(transactions[0], transactions[1] ?? NONE, tag, 0) !== before) return;
    this.anomalies.push({
      class: kind,
      shapes,
      transactions,
      statements: [...new Set(seen.filter((s) => s !== NONE))],
      row,
      explanation: explanation(),
    });
  }

  /** Returns the statement that made the version. */
  private writerOf(v: number): number {
    return this.writers.statement(this.order.txn[v], this.order.seq[v]);
  }

  private nameOf(v: number): string {
    return this.say.version(this.order.txn[v], this.order.seq[v]);
  }

  private saw({ observation, statement, row }: Reading): string {
    return `${this.say.statement(statement)} saw ${this.say.list(observation)} on ${this.say.row(row)}`;
  }
}
