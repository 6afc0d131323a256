/** A part of the page: what it answers to, and how what it has under way ends. */
import type { CampaignStore } from './campaign-store.ts';
import type { OutFolder } from './out-folder.ts';
import type { RunLines } from './run-lines.ts';
import type { Route } from './route.ts';
import type { Targets } from './targets.ts';

/** What every part is made from. */
export interface UiContext {
  readonly out: OutFolder;
  readonly runs: RunLines;
  /** Where it may run and replay. */
  readonly targets: Targets;
  /** Of campaigns; undefined: none was named. */
  readonly store?: CampaignStore | undefined;
  /** Aborted when the page ends. */
  readonly signal: AbortSignal;
}

export interface Part {
  readonly routes: readonly Route[];
  /** Ends in order what is under way: schemas are dropped, servers of ours stopped. */
  close?(): Promise<void>;
  /** In words, what Ctrl-C would interrupt; absent or undefined: nothing. */
  busy?(): string | undefined;
}

export type MakePart = (context: UiContext) => Part;
