/**
 * Checks a history while it is being written, in bounded memory. It takes mini-transactions, whose reads fix the
 * version orders. At intervals the held transactions are judged, as a history of their own behind one transaction that
 * wrote the versions left by the forgotten ones. Then those are forgotten that no dependency can lead into (kept.ts).
 * Each cycle lies among the held transactions or among the forgotten ones, so none is missed and none is invented. The
 * exception is a later transaction that touches a forgotten one after all: it reads a version that is overwritten
 * there, or writes without reading. No level then holds for certain, and the answer is `unknown`. docs/CHECKERS.md has
 * the argument in full.
 */
import { OP } from '../../core/index-kv.ts';
import type { KvHistory, KvReportMode, KvVerdict, Level } from '../../core/index.ts';
import { describeBadRead, readText } from '../mini/describe.ts';
import { ForgottenIds } from './forgotten-ids.ts';
import { Frontier } from './frontier.ts';
import { judgeWindow } from './judge-window.ts';
import type { JudgedWindow, WindowOptions } from './judge-window.ts';
import { keptTransactions } from './kept.ts';
import { Ledger, pairOf } from './ledger.ts';
import { noteForgotten } from './note-forgotten.ts';
import { PastVersions } from './past-versions.ts';
import { StreamWindow } from './window.ts';

export interface StreamOptions {
  readonly levels: readonly Level[];
  /** This many of the latest transactions are never forgotten. */
  readonly window: number;
  readonly report?: KvReportMode;
  /** The file name for messages. */
  readonly file?: string;
  /** Called as soon as a level is violated, with the number of transactions read until then. */
  readonly found?: (verdict: KvVerdict, transactions: number) => void;
}

export type StreamAnswer = { readonly transactions: number } & (
  | {
      /** Nothing was forgotten. This is the whole history, to be checked like any other. */
      readonly history: KvHistory;
    }
  | { readonly history: undefined; readonly verdicts: readonly KvVerdict[]; readonly forgotten: number }
);

/** The number of bytes that are parsed at once. */
const PIECE = 1 << 16;
/**
 * The number of transactions before the first judgement. Later ones wait for twice as many, until they wait for a whole
 * window.
 */
const FIRST_JUDGEMENT = 1024;
/** The number of held transactions per transaction of the window. Past it some are forgotten that should not be. */
const MOST_HELD = 4;

export class StreamCheck {
  private readonly options: StreamOptions;
  private readonly window: StreamWindow;
  private readonly frontier = new Frontier();
  private readonly ids = new ForgottenIds();
  private readonly ledger: Ledger;
  private readonly past = new PastVersions();
  /** The number of held transactions that have been judged. */
  private seen = 0;
  private step: number;
  private next: number;
  private forgotten = 0;
  private committed = false;
  private snapshotsBroken = false;
  private diverged = false;
  /** Nothing more can be learned. Transactions are counted, and their writes are compared with the verdicts. */
  private stopped = false;

  constructor(options: StreamOptions) {
    this.options = options;
    this.window = new StreamWindow(options.file ?? 'stdin');
    this.ledger = new Ledger(options.levels, this.frontier);
    this.step = Math.min(options.window, FIRST_JUDGEMENT);
    this.next = this.step;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE) {
      this.window.push(bytes.subarray(at, at + PIECE));
      while (this.window.runs >= this.next) this.advance();
    }
  }

  get transactions(): number {
    return this.forgotten + this.window.runs;
  }

  end(): StreamAnswer {
    this.window.end();
    while (this.window.runs >= this.next) this.advance();
    const { transactions, forgotten } = this;
    if (forgotten === 0) {
      this.past.gather(this.window, this.frontier, 0);
      return { transactions, history: this.window.history(this.window.runs, this.past) };
    }
    this.judgeHeld(this.window.runs, true);
    return { transactions, history: undefined, forgotten, verdicts: this.ledger.verdicts(this.committed) };
  }

  /**
   * Ends the check although more may come. Returns the violations among the complete transactions. No level is reported
   * to hold.
   */
  interrupted(): StreamAnswer & { readonly history: undefined } {
    const { transactions, forgotten, window } = this;
    const { runs } = window;
    const judged = runs === 0 ? undefined : this.judgeHeld(runs, false);
    const found = `interrupted after ${transactions} transactions: `;
    const seen = runs === 0 || (judged !== undefined && judged.undetermined === undefined);
    const why = seen
      ? 'they show no violation so far, of what was not read nothing is known'
      : `they are judged only at the end of the input${judged?.undetermined === undefined ? '' : `, since ${judged.undetermined}`}`;
    return { transactions, history: undefined, forgotten, verdicts: this.ledger.soFar(`${found}${why}`) };
  }

  private advance(): void {
    const runs = this.next;
    const judged = this.judgeHeld(runs, false);
    if (runs > this.options.window) this.forget(runs, judged);
    this.step = Math.min(this.options.window, this.step * 2);
    this.next = this.seen + this.step;
  }

  /** Judges the first `runs` held transactions. Returns undefined if they cannot be judged. */
  private judgeHeld(runs: number, last: boolean): JudgedWindow | undefined {
    this.takeNew(runs);
    const mustForget = runs > this.options.window;
    if (this.ledger.open().length === 0 && (mustForget || this.forgotten > 0)) this.stopped = true;
    if (this.stopped) return undefined;
    const late = this.past.gather(this.window, this.frontier, runs);
    if (late >= 0)
      this.ledger.doubtAll(`key ${this.keyAt(late)} is read as 0 after a forgotten transaction had written it (${this.advice})`);
    const history = this.window.history(runs, this.past);
    const ours = this.past.count > 0;
    if (history.txnCount !== runs + (ours ? 1 : 0)) {
      // The lines of one transaction stand apart. They are joined while all is held. Otherwise the transaction is not
      // known to be complete.
      if (mustForget || this.forgotten > 0) this.stopApart('lines of one transaction stand apart, with others between them');
      return undefined;
    }
    return this.judge(history, runs, { last, lateZero: late >= 0 });
  }

  private judge(history: KvHistory, runs: number, when: Pick<WindowOptions, 'last' | 'lateZero'>): JudgedWindow | undefined {
    const { ledger, forgotten, past } = this;
    const judged = judgeWindow(history, {
      levels: ledger.open(),
      report: this.options.report ?? 'class',
      ours: past.count,
      frontier: this.frontier,
      ...when,
      snapshotsBroken: this.snapshotsBroken,
      diverged: this.diverged,
      touched: ledger.doubted,
      nothingForgotten: forgotten === 0,
    });
    this.snapshotsBroken = judged.snapshotsBroken;
    this.diverged = judged.diverged;
    for (const doubt of judged.doubts) ledger.doubtAll(`${doubt} (${this.advice})`);
    for (const verdict of judged.violations)
      if (ledger.violate(verdict, judged.links.history, past.count > 0)) this.options.found?.(verdict, forgotten + runs);
    if (judged.weakMissed.length > 0 && (forgotten > 0 || runs > this.options.window))
      ledger.loseWeak(
        judged.weakMissed,
        `snapshot-isolation is violated, and no order of the held transactions was found that continues the forgotten ones (${this.advice})`,
      );
    if (judged.undetermined !== undefined && (forgotten > 0 || runs > this.options.window)) this.stop(judged.undetermined);
    return this.stopped ? undefined : judged;
  }

  /** Records the facts of the transactions not judged so far, beside their dependencies. */
  private takeNew(runs: number): void {
    const { window, ledger, ids, frontier } = this;
    const { columns } = window;
    for (let i = this.seen; i < runs; i++) {
      const run = window.run(i);
      if (columns.runTxnLow[run] !== -1 || columns.runTxnHigh[run] !== -1) this.committed = true;
      if (ids.maybe(columns, run))
        this.stopApart('the number of a transaction returned after others: its lines may be of one that was forgotten');
      for (let op = window.opStart(i), end = window.opStart(i + 1); op < end; op++) {
        if (columns.kind[op] !== OP.write) continue;
        const [keyLow, keyHigh, low, high] = [columns.keyLow[op], columns.keyHigh[op], columns.valueLow[op], columns.valueHigh[op]];
        ledger.written(keyLow, keyHigh, low, high);
        if (low === 0 && high === 0 && frontier.find(keyLow, keyHigh) >= 0)
          ledger.doubtAll(`key ${this.keyAt(op)}, which forgotten transactions touched, is set to 0, which is also its initial value`);
      }
    }
    this.seen = runs;
  }

  /** Forgets the first `runs` held transactions, except the latest and those that depend on them. */
  private forget(runs: number, judged: JudgedWindow | undefined): void {
    const keep = judged === undefined ? new Uint8Array(runs) : this.leave(runs, judged);
    for (let i = 0; i < runs; i++) if (keep[i] === 0) this.ids.forget(this.window.columns, this.window.run(i));
    const held = ones(keep);
    this.window.forget(keep);
    this.forgotten += runs - held;
    this.seen = held;
  }

  /** Records the facts of the transactions that go. Returns which ones stay. */
  private leave(runs: number, judged: JudgedWindow): Uint8Array {
    const { options, ledger, frontier } = this;
    const { links } = judged;
    const ours = this.past.count > 0 ? 1 : 0;
    let keep = keptTransactions(links, options.window).subarray(ours);
    if (ones(keep) > MOST_HELD * options.window) {
      keep = Uint8Array.from({ length: runs }, (_, i) => (i < runs - options.window ? 0 : 1));
      ledger.doubtAll(
        `more than ${MOST_HELD * options.window} transactions would have to be held, since late ones read what early ones overwrote (${this.advice})`,
      );
    }
    const at = (i: number): number => links.history.fileOrder?.[i + ours] ?? i + ours;
    const going = new Uint8Array(links.history.txnCount);
    for (let i = 0; i < runs; i++) if (keep[i] === 0) going[at(i)] = 1;
    for (const bad of judged.orphans) {
      if (going[bad.txn] === 0) continue;
      const [keyLow, keyHigh, low, high] = pairOf(links.history, bad.op);
      ledger.orphan(describeBadRead(links, bad), readText(links, bad), [keyLow, keyHigh], [low, high]);
    }
    noteForgotten(links, going, judged.order, frontier);
    return keep;
  }

  /** It is not known what such a transaction read and wrote, so no verdict stands. */
  private stopApart(reason: string): void {
    this.ledger.loseAll(reason);
    this.stop(reason);
  }

  private stop(reason: string): void {
    this.ledger.doubtAll(reason);
    this.stopped = true;
  }

  private keyAt(op: number): bigint {
    const { keyLow, keyHigh } = this.window.columns;
    return (BigInt(keyHigh[op]) << 32n) | BigInt(keyLow[op] >>> 0);
  }

  private get advice(): string {
    return `with a window of ${this.options.window} transactions`;
  }
}

function ones(marks: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < marks.length; i++) sum += marks[i];
  return sum;
}
