/**
 * A worker takes slices of every running campaign whose target it can reach, one at a time. It ends when it is told to,
 * or when there is nothing left. It reports every few seconds that it is alive, and hands out again the slices of workers
 * that do not.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, InternalError, UsageError } from '../../../core/base/index.ts';
import type { Target } from '../../target/target.ts';
import type { CampaignFile, CampaignTarget } from './file.ts';
import type { SliceDone } from './slice-done.ts';
import { partWord, targetWord } from './slices.ts';
import type { Slice } from './slices.ts';
import { queueOf } from './store/store.ts';
import type { CampaignRow, Store, Taken } from './store/store.ts';

export interface WorkPlan {
  readonly store: Store;
  readonly tool: string;
  /** Undefined: this worker cannot reach the target. */
  readonly open: (target: CampaignTarget) => Promise<Target | undefined>;
  readonly run: (file: CampaignFile, slice: Slice, target: Target, runId: string) => Promise<SliceDone>;
  /** The worker ends when there is nothing to do. Otherwise it waits for more. */
  readonly untilDone: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const BEAT_MS = 5_000;
/** A worker that does not report for this long counts as dead. A busy machine may miss a few reports. */
export const SILENT_MS = 30_000;
const IDLE_MS = 1_000;
/** More than the number of queues: workers that restart often then prefer none of them. */
const ANY = 1_000_000;
/** Milliseconds until a target that is down is tried again. */
const DOWN_MS = 10_000;

export interface Worked {
  readonly accepted: number;
  readonly failed: number;
}

export async function work(plan: WorkPlan): Promise<Worked> {
  const { store, signal } = plan;
  const id = randomUUID();
  await store.beat(id, hostname(), process.pid);
  const beating = new AbortController();
  const beats = beat(store, id, beating.signal);
  const targets = new Targets(plan);
  const worked = { accepted: 0, failed: 0 };
  try {
    for (let turn = randomInt(ANY); !signal.aborted; turn++) {
      await store.sweep(SILENT_MS);
      const taken = await takeOne(plan, targets, id, turn);
      if (taken !== undefined) {
        if ((await done(plan, targets, taken, id)) === 'accepted') worked.accepted++;
        else worked.failed++;
        continue;
      }
      if (plan.untilDone && (await store.waiting()) === 0) break;
      await pause(IDLE_MS, undefined, { signal }).catch(() => {});
    }
    return worked;
  } finally {
    beating.abort();
    await beats;
    await targets.close();
  }
}

async function beat(store: Store, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(BEAT_MS, undefined, { signal }).catch(() => {});
    // If the store stays away for longer, the worker's own requests report it.
    if (!signal.aborted) await store.beat(id, hostname(), process.pid).catch(() => {});
  }
}

interface Given {
  readonly taken: Taken;
  readonly campaign: CampaignRow;
}

/** The campaigns and their targets take turns. The first request starts at a random queue, each later one at the next queue. */
async function takeOne({ store, tool, say }: WorkPlan, targets: Targets, id: string, turn: number): Promise<Given | undefined> {
  const running = (await store.campaigns()).filter(({ stopped_at }) => stopped_at === null);
  for (const other of running.filter((campaign) => campaign.tool !== tool))
    targets.once(other.name, () =>
      say(`campaign ${other.name} was started by ${other.tool}, this is ${tool}: its slices are left to such workers`),
    );
  const queues = running
    .filter((campaign) => campaign.tool === tool)
    .flatMap((campaign) => campaign.file.targets.map((target, t) => ({ campaign, target, queue: queueOf(campaign.name, t) })));
  const from = queues.length === 0 ? 0 : turn % queues.length;
  for (const { campaign, target, queue } of [...queues.slice(from), ...queues.slice(0, from)]) {
    if (!(await targets.has(target))) continue;
    const taken = await store.take(queue, id);
    if (taken !== undefined) return { taken, campaign };
  }
  return undefined;
}

async function done(plan: WorkPlan, targets: Targets, { taken, campaign: { file } }: Given, id: string): Promise<'accepted' | 'failed'> {
  const { store, signal, say } = plan;
  const { slice } = taken;
  const target = file.targets[slice.target]!;
  const name = `${slice.campaign}, ${targetWord(target)}, ${partWord(file.jobs[slice.job]!, slice)}`;
  try {
    const opened = (await targets.get(target))!;
    const { result, findings, endedEarly } = await plan.run(
      file,
      slice,
      opened,
      `${slice.campaign}-${slice.target}-${slice.job}-${slice.turn}`,
    );
    if (signal.aborted) {
      await store.giveBack(taken);
      return 'failed';
    }
    if (endedEarly !== undefined) throw new DatabaseError(endedEarly);
    const first = await store.accept(taken, id, result);
    say(`${name}: ${first ? `${findings} findings` : 'done by another worker before'}`);
    return 'accepted';
  } catch (error) {
    await targets.drop(target);
    const why = error instanceof Error ? error.message : String(error);
    const last = await store.failed(taken, id, why);
    say(`${name}: ${why}${last ? '; given up' : '; handed out again'}`);
    return 'failed';
  }
}

/** Targets, opened when their first slice arrives. A target that is down does not keep the worker from the others. */
class Targets {
  private readonly plan: Pick<WorkPlan, 'open' | 'say' | 'signal'>;
  private readonly opened = new Map<string, Target | undefined>();
  /** The time at which each target that is down is tried again. */
  private readonly down = new Map<string, number>();
  private readonly said = new Set<string>();

  constructor(plan: Pick<WorkPlan, 'open' | 'say' | 'signal'>) {
    this.plan = plan;
  }

  async has(target: CampaignTarget): Promise<boolean> {
    return (await this.get(target)) !== undefined;
  }

  async get(target: CampaignTarget): Promise<Target | undefined> {
    const word = targetWord(target);
    if (!this.opened.has(word) && performance.now() >= (this.down.get(word) ?? 0)) await this.open(word, target);
    return this.opened.get(word);
  }

  /** The target failed, so the next slice opens it anew. */
  async drop(target: CampaignTarget): Promise<void> {
    const word = targetWord(target);
    const opened = this.opened.get(word);
    this.opened.delete(word);
    await opened?.close().catch(() => {});
  }

  once(what: string, tell: () => void): void {
    if (!this.said.has(what)) tell();
    this.said.add(what);
  }

  async close(): Promise<void> {
    for (const opened of this.opened.values()) await opened?.close();
  }

  /** Throws for a wrong target, which no later try can open. Any other failure is tried again. */
  private async open(word: string, target: CampaignTarget): Promise<void> {
    try {
      const opened = await this.plan.open(target);
      if (opened === undefined) this.once(word, () => this.plan.say(`${word} cannot be had here: its slices are left to other workers`));
      this.opened.set(word, opened);
    } catch (error) {
      if (this.plan.signal.aborted || error instanceof UsageError || error instanceof InternalError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.once(`${word} ${why}`, () =>
        this.plan.say(`${word} is down (${why}): its slices are left to others, and it is tried again every ${DOWN_MS / 1000} s`),
      );
      this.down.set(word, performance.now() + DOWN_MS);
    }
  }
}
