/** A part of the page: its routes, and how its work ends. */
import type { CampaignStore } from './campaign-store.ts';
import type { OutFolder } from './out-folder.ts';
import type { RunLines } from './run-lines.ts';
import type { Route } from './route.ts';
import type { Targets } from './targets.ts';

/** The input of every part. */
export interface UiContext {
  readonly out: OutFolder;
  readonly runs: RunLines;
  /** The targets on which it may run and replay. */
  readonly targets: Targets;
  /** The store of campaigns; undefined: none was named. */
  readonly store?: CampaignStore | undefined;
  /** Aborted when the page ends. */
  readonly signal: AbortSignal;
}

export interface Part {
  readonly routes: readonly Route[];
  /** Ends the work in progress in order: schemas are dropped, started servers are stopped. */
  close?(): Promise<void>;
  /** Names in words what Ctrl-C would interrupt; absent or undefined: nothing. */
  busy?(): string | undefined;
}

export type MakePart = (context: UiContext) => Part;
