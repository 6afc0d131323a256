/** The steps of one run of a .spec, one at a time: a session that waits is skipped until its reply has come. */
import type { TransactionStatus } from '../../../core/dialect/index.ts';
import type { ServerSession, SessionsInFlight } from '../../execute/index.ts';
import type { Reply } from '../../explore/program-runner.ts';
import type { PlacedStep } from './spec-orders.ts';

/**
 * `setup`: the setup of its session, at its place among the steps. `rollback`: rolls back whatever the session left open.
 * `level`: asks for the level in force.
 */
export interface RunItem extends PlacedStep {
  readonly does?: 'setup' | 'rollback' | 'level';
}

export interface StepRun {
  readonly item: RunItem;
  readonly reply: Reply;
  /** The status after the step; undefined: the driver does not report it. */
  readonly status: TransactionStatus | undefined;
  /** Positions in time of its sending and its reply. */
  readonly sent: number;
  readonly replied: number;
  readonly waited: boolean;
}

export type InFlight = SessionsInFlight<ServerSession, void>;

/** The steps of one run, and those that were sent and have no reply yet. */
export class Stepping {
  private readonly sessions: InFlight;
  private readonly left: RunItem[];
  private readonly send: (item: RunItem, session: ServerSession) => Promise<Pick<StepRun, 'reply' | 'status'>>;
  private readonly steps: StepRun[] = [];
  /** The steps in flight, by session. */
  private readonly inFlight = new Map<number, { readonly item: RunItem; readonly sent: number; waited: boolean }>();
  private time = 0;

  constructor(sessions: InFlight, items: readonly RunItem[], send: Stepping['send']) {
    this.sessions = sessions;
    this.left = [...items];
    this.send = send;
  }

  async all(): Promise<readonly StepRun[]> {
    while (this.left.length > 0 || this.inFlight.size > 0) {
      const next = this.left.findIndex(({ session }) => !this.inFlight.has(session));
      if (next < 0) await this.sessions.anyReply();
      else await this.step(this.left.splice(next, 1)[0]!);
    }
    return this.steps.toSorted((a, b) => a.sent - b.sent);
  }

  private async step(item: RunItem): Promise<void> {
    const one = { item, sent: this.time++, waited: false };
    this.inFlight.set(item.session, one);
    await this.sessions.send(item.session, async (session) => {
      const { reply, status } = await this.send(item, session);
      this.inFlight.delete(item.session);
      this.steps.push({ ...one, reply, status, replied: this.time++ });
      // The locks that a foreign text releases are not known.
      return { reply: undefined, releases: true, open: status !== 'outside' };
    });
    if (this.inFlight.has(item.session)) one.waited = true;
  }
}
