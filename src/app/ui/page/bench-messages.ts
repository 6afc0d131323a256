/** What server and page tell each other of the bench: types alone. */
import type { Level, PromiseVerdict } from '../../../../core/index.ts';
import type { Drawn } from '../../../../reports/in-page.ts';
import type { TargetChoice } from './messages.ts';

export interface BenchChoices {
  readonly targets: readonly TargetChoice[];
  readonly fixtures: readonly { readonly name: string; readonly title: string; readonly sql: string }[];
  readonly sessions: { readonly least: number; readonly most: number };
}

export interface BenchOpen {
  readonly target: string;
  /** Its name, and the SQL that makes it. */
  readonly fixture: string;
  readonly sql: string;
  readonly level: Level;
  readonly sessions: number;
}

export interface BenchStep {
  readonly n: number;
  readonly session: number;
  readonly txn: number;
  readonly sql: string;
  readonly state: 'replied' | 'waits' | 'failed';
  /** It waited, or waits, for these. */
  readonly waitsFor?: readonly number[];
  /** Of a query. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** What the reply comes to. */
  readonly words: readonly string[];
}

export interface BenchSession {
  readonly name: string;
  readonly level: Level;
  /** Its open transaction. */
  readonly txn?: number;
  readonly waits: boolean;
  readonly lost?: string;
}

export interface BenchState {
  /** Another one after each opening. */
  readonly id: number;
  /** `closed`: there is none. */
  readonly state: 'closed' | 'opening' | 'open' | 'lost';
  /** Why the last one could not be opened, or what the last one has left. */
  readonly words?: string;
  readonly target: string;
  readonly server: string;
  readonly fixture: string;
  readonly tables: readonly string[];
  readonly levels: readonly Level[];
  readonly sessions: readonly BenchSession[];
  readonly steps: readonly BenchStep[];
  /** Grows with each commit: the graph is another one. */
  readonly commits: number;
}

/** Why nothing was sent; absent: it was. */
export interface BenchSent {
  readonly refused?: string;
}

/** `untold`: why nothing can be said. */
export type Untold = { readonly untold: string };

export interface BenchGraph {
  /** The edges as a finding has them, to be drawn. */
  readonly drawn: Drawn;
  readonly edges: readonly { readonly name: string; readonly sentence: string }[];
  readonly anomalies: readonly {
    readonly name: string;
    readonly verdict: PromiseVerdict;
    readonly violates: readonly string[];
    readonly promise: string;
  }[];
}

export interface BenchOrders {
  readonly orders: readonly { readonly order: string; readonly words: string; readonly explains: boolean }[];
  readonly sums: string;
}

export interface BenchSeen {
  readonly tables: readonly {
    readonly table: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
  }[];
}
