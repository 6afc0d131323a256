/**
 * The transcript of one schedule: its statements in observed order, as they were planned (without instrumentation), which
 * sessions waited for which, and the replies. It listens to the record and to the watcher of blocked sessions.
 */
import type { BlockedWatcher, Connection, Dialect } from '../../../core/dialect/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import type { FailEvent, HistoryEvent, InvokeEvent, OkEvent, TxnOutcome } from '../../../core/history/index.ts';
import type { TranscriptLine } from '../../../reports/index.ts';
import { Recorder } from '../../execute/index.ts';

/** A record that keeps the events of the running round. */
export class ListeningRecorder extends Recorder {
  private kept: HistoryEvent[] | undefined;
  private hear: ((event: HistoryEvent) => void) | undefined;

  /** Forgets the kept events. Further events are kept and passed to `hear`. */
  keep(hear: (event: HistoryEvent) => void): readonly HistoryEvent[] {
    this.hear = hear;
    return (this.kept = []);
  }

  override add(event: HistoryEvent): void {
    super.add(event);
    this.hear?.(event);
    this.kept?.push(event);
  }
}

type Reply = OkEvent | FailEvent;

export class Transcript {
  private readonly events: readonly HistoryEvent[];
  /** The backends for which each backend waited since its last reply. */
  private readonly waits = new Map<string, Set<string>>();
  private readonly sessionOf = new Map<string, number>();
  private readonly backendOf = new Map<number, string>();
  private readonly waitedFor = new Map<HistoryEvent, readonly number[]>();

  constructor(recorder: ListeningRecorder) {
    this.events = recorder.keep((event) => this.heard(event));
  }

  /** Returns the dialect with a watcher whose answers the transcript gets too. */
  watching(dialect: Dialect): Dialect {
    const watchBlocked = (connection: Connection): BlockedWatcher => {
      const watcher = dialect.watchBlocked(connection);
      if (watcher.waits === undefined) return watcher;
      return {
        blocked: (backends) => watcher.blocked(backends),
        freshIn: () => watcher.freshIn?.() ?? 0,
        waits: async (backends) => {
          const found = (await watcher.waits?.(backends)) ?? new Map<string, readonly string[]>();
          for (const [backend, others] of found) this.waits.set(backend, new Set([...(this.waits.get(backend) ?? []), ...others]));
          return found;
        },
      };
    };
    return Object.create(dialect, { watchBlocked: { value: watchBlocked, enumerable: true } }) as Dialect;
  }

  outcomes(testCase: TestCase): ReadonlyMap<number, TxnOutcome> {
    const planned = plannedIds(testCase);
    return new Map(this.events.flatMap((event) => (event.e === 'end' && planned.has(event.t) ? [[event.t, event.outcome] as const] : [])));
  }

  lines(testCase: TestCase, dialect: Dialect): readonly TranscriptLine[] {
    const planned = plannedIds(testCase);
    const events = this.events.filter((event) => (event.e === 'invoke' || event.e === 'ok' || event.e === 'fail') && planned.has(event.t));
    const lines: TranscriptLine[] = [];
    for (const event of events) {
      if (event.e !== 'invoke') {
        if (event.e !== 'ok' && event.e !== 'fail') continue;
        const invoke = events.find(
          (each): each is InvokeEvent => each.e === 'invoke' && each.s === event.s && each.t === event.t && each.n === event.n,
        );
        if (invoke && event.blocked) lines.push(this.line(invoke, event, 'replies', testCase, dialect));
        continue;
      }
      const reply = events.find(
        (each): each is Reply => (each.e === 'ok' || each.e === 'fail') && each.s === event.s && each.t === event.t && each.n === event.n,
      );
      lines.push(this.line(event, reply, reply === undefined || reply.blocked ? 'waits' : 'done', testCase, dialect));
    }
    return lines;
  }

  private line(
    invoke: InvokeEvent,
    reply: Reply | undefined,
    state: TranscriptLine['state'],
    testCase: TestCase,
    dialect: Dialect,
  ): TranscriptLine {
    const statement = testCase.sessions[invoke.s]?.transactions.find((txn) => txn.id === invoke.t)?.statements[invoke.p ?? -1];
    const ok = state !== 'waits' && reply?.e === 'ok' ? reply : undefined;
    const failed = state !== 'waits' && reply?.e === 'fail' ? reply : undefined;
    return {
      session: invoke.s + 1,
      txn: invoke.t,
      // The statements after BEGIN that set and read back the level are the same everywhere, so they are omitted.
      sql: statement !== undefined ? dialect.print(statement) : invoke.k === 'begin' ? 'BEGIN' : invoke.sql,
      state,
      waitsFor: reply === undefined ? [] : (this.waitedFor.get(reply) ?? []),
      rows: statement === undefined ? null : (ok?.rows ?? null),
      result: ok?.result ?? null,
      error: failed === undefined ? null : { code: failed.code, class: failed.class, message: failed.message },
      level: ok?.level ?? null,
      rolledBack: ok?.tag === 'rollback',
    };
  }

  private heard(event: HistoryEvent): void {
    if (event.e !== 'ok' && event.e !== 'fail') return;
    if (event.e === 'ok' && event.backend !== undefined) {
      this.sessionOf.set(event.backend, event.s);
      this.backendOf.set(event.s, event.backend);
    }
    const backend = this.backendOf.get(event.s);
    if (backend === undefined) return;
    if (event.blocked)
      this.waitedFor.set(
        event,
        [...(this.waits.get(backend) ?? [])]
          .flatMap((other) => (this.sessionOf.has(other) ? [this.sessionOf.get(other)! + 1] : []))
          .toSorted((a, b) => a - b),
      );
    this.waits.delete(backend);
  }
}

function plannedIds(testCase: TestCase): ReadonlySet<number> {
  return new Set(testCase.sessions.flatMap(({ transactions }) => transactions.map((txn) => txn.id)));
}
