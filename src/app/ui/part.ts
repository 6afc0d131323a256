/** Defines a part of the page by its routes and by how its work ends. */
import type { CampaignStore } from './campaign-store.ts';
import type { OutFolder } from './out-folder.ts';
import type { RunLines } from './run-lines.ts';
import type { Route } from './route.ts';
import type { Targets } from './targets.ts';

/** Every part receives this input. */
export interface UiContext {
  readonly out: OutFolder;
  readonly runs: RunLines;
  /** The part may run and replay on these targets. */
  readonly targets: Targets;
  /** Holds the store of campaigns, or undefined if none was named. */
  readonly store?: CampaignStore | undefined;
  /** The signal aborts when the page ends. */
  readonly signal: AbortSignal;
}

export interface Part {
  readonly routes: readonly Route[];
  /** Ends the work in progress in order. Schemas are dropped, and started servers are stopped. */
  close?(): Promise<void>;
  /** Names the work that Ctrl-C would interrupt. It is absent or undefined if there is none. */
  busy?(): string | undefined;
}

export type MakePart = (context: UiContext) => Part;
