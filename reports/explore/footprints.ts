/** The data of `explore --footprints`: what each look depends on, and what the server noted down for it. */
import type { Level } from '../../core/level/index.ts';
import type { IndexPlan, NotedLock, OwnSetting } from '../../core/dialect/index.ts';

/** A change that alters a look's answer. */
export interface LookDependency {
  /** The way to write, and the item that it writes. */
  readonly change: string;
  readonly sql: readonly string[];
  /** The tables whose rows the change alters. `gone`: rows only go; `new`: rows only come; `other`: both. */
  readonly tables: readonly { readonly table: string; readonly rows: 'gone' | 'new' | 'other' }[];
  /** The server noted down a lock that may conflict with the change. */
  readonly noted: boolean;
}

/** A way to read (form), alone in a transaction, in one fixture. */
export interface LookFootprint {
  readonly form: string;
  readonly fixture: string;
  readonly plan: IndexPlan | false;
  /** The letter of the row that the form is about. */
  readonly item: string;
  readonly sql: readonly string[];
  readonly noted: readonly NotedLock[];
  /** One change for each set of tables. Empty: no change of the catalogue alters the answer. */
  readonly dependsOn: readonly LookDependency[];
  /** The answer depends on a change for which nothing was noted down. */
  readonly suspect: boolean;
}

export interface FootprintLevel {
  readonly level: Level;
  /** `locking`: plain reads were left out, since the level gives them a snapshot. */
  readonly reads: 'all' | 'locking';
  readonly looks: readonly LookFootprint[];
  /** Looks whose transaction the server rolled back before its locks could be read, a line each. */
  readonly lost: readonly string[];
}

export interface FootprintReport {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  readonly server: string;
  readonly ownSettings?: readonly OwnSetting[];
  /** Forms and fixtures that the server does not support. */
  readonly lacking: readonly string[];
  /** Ways to read that the catalogue has, and those of them that ran at some level. */
  readonly forms: { readonly all: number; readonly ran: number };
  readonly levels: readonly FootprintLevel[];
  readonly endedEarly?: 'interrupted';
}
