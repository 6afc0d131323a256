/** Defines the messages between server and page about the console. It has only types. */
import type { Level, PromiseVerdict } from '../../../../core/level/index.ts';
import type { Drawn } from '../../../../reports/in-page.ts';
import type { TargetChoice } from './messages.ts';

export interface ConsoleChoices {
  readonly targets: readonly TargetChoice[];
  readonly fixtures: readonly { readonly name: string; readonly title: string; readonly sql: string }[];
  readonly sessions: { readonly least: number; readonly most: number };
}

export interface ConsoleOpen {
  readonly target: string;
  /** Names the fixture. `sql` creates it. */
  readonly fixture: string;
  readonly sql: string;
  readonly level: Level;
  readonly sessions: number;
}

export interface ConsoleStep {
  readonly n: number;
  readonly session: number;
  readonly txn: number;
  readonly sql: string;
  readonly state: 'replied' | 'waits' | 'failed';
  /** Lists the sessions for which the step waits or waited. */
  readonly waitsFor?: readonly number[];
  /** Names the columns if the step was a query. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Explains the reply. */
  readonly words: readonly string[];
}

export interface ConsoleSession {
  readonly name: string;
  readonly level: Level;
  /** Numbers the open transaction of the session. */
  readonly txn?: number;
  readonly waits: boolean;
  readonly lost?: string;
}

export interface ConsoleState {
  /** Changes with each opening. */
  readonly id: number;
  /** `closed` means that there is no console. */
  readonly state: 'closed' | 'opening' | 'open' | 'lost';
  /** Says why the last console could not be opened, or what it has left behind. */
  readonly words?: string;
  readonly target: string;
  readonly server: string;
  readonly fixture: string;
  readonly tables: readonly string[];
  readonly levels: readonly Level[];
  readonly sessions: readonly ConsoleSession[];
  readonly steps: readonly ConsoleStep[];
  /** Grows with each commit. Each commit changes the graph. */
  readonly commits: number;
}

/** `refused` says why nothing was sent. It is absent if the statement was sent. */
export interface ConsoleSent {
  readonly refused?: string;
}

/** `untold` says why there is no answer. */
export type Untold = { readonly untold: string };

export interface ConsoleGraph {
  /** Holds the edges in the form of a finding, so that they can be drawn. */
  readonly drawn: Drawn;
  readonly edges: readonly { readonly name: string; readonly sentence: string }[];
  readonly anomalies: readonly {
    readonly name: string;
    readonly verdict: PromiseVerdict;
    readonly violates: readonly string[];
    readonly promise: string;
  }[];
}

export interface ConsoleOrders {
  readonly orders: readonly { readonly order: string; readonly words: string; readonly explains: boolean }[];
  readonly sums: string;
}

export interface ConsoleSeen {
  readonly tables: readonly {
    readonly table: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
  }[];
}
