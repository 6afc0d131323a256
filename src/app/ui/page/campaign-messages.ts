/** Defines the messages between server and page about a store's campaigns. It has only types, which both share. */
import type { Level, PromiseVerdict } from '../../../../core/level/index.ts';
import type { LevelProgress } from '../../../../core/verdict/index.ts';
import type { FindingDetails } from './messages.ts';

export interface CampaignLine {
  readonly name: string;
  readonly state: 'running' | 'stopped' | 'done';
  readonly slices: number;
  readonly done: number;
  readonly underWay: number;
  readonly givenUp: number;
  /** Counts the slices that had to be handed out again. */
  readonly attempts: number;
  readonly rounds: number;
  /** Counts the distinct findings of each verdict. */
  readonly findings: Readonly<Record<PromiseVerdict, number>>;
  readonly levels: readonly CoveredLevel[];
  readonly explored: readonly CoveredPrograms[];
  /**
   * Counts the pairs of forms that some explored program had, over all levels and releases. It is absent if nothing was
   * explored.
   */
  readonly pairs?: { readonly met: number; readonly of: number };
}

export interface CoveredPrograms {
  readonly target: string;
  readonly release: string;
  readonly level: string;
  readonly programs: number;
  readonly orders: number;
}

export interface CoveredLevel {
  readonly target: string;
  readonly release: string;
  readonly level: string;
  readonly progress: Omit<LevelProgress, 'level'>;
}

export interface WorkerLine {
  readonly host: string;
  readonly pid: number;
  /** True if the worker reported recently enough that no other worker takes over its slice. */
  readonly alive: boolean;
  readonly seenAt: string;
  /** Counts the worker's slices that were accepted. */
  readonly accepted: number;
  /** Names the slice that the worker executes now. */
  readonly slice?: { readonly campaign: string; readonly words: string; readonly since: string };
}

export interface CampaignsState {
  /** Names the store's URL without credentials. */
  readonly store: string;
  readonly campaigns: readonly CampaignLine[];
  /** Lists the workers that reported in the last day or that have a slice. */
  readonly workers: readonly WorkerLine[];
}

export interface StoredLine {
  readonly key: string;
  readonly n: number;
  readonly whole: boolean;
  readonly count: number;
  /** Counts the statements of the smallest reproduction. It is null if the finding was not reproduced. */
  readonly statements: number | null;
  readonly firstSeen: string;
  readonly isNew: boolean;
  readonly explanation: string;
  /**
   * Holds the statements of the anomaly or of the reduced case. It is empty if they are not kept, and after the first
   * hundred findings.
   */
  readonly sql: string;
}

export interface StoredFamily {
  readonly target: string;
  readonly release: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly name: string;
  readonly edges: string;
  /** Counts anomalies, or programs if the family was explored. */
  readonly anomalies: number;
  readonly explored?: true;
  readonly findings: readonly StoredLine[];
}

export interface CampaignFindings {
  /** Findings first seen from this moment on are new. It is the midnight at which yesterday began. */
  readonly since: string;
  readonly families: readonly StoredFamily[];
}

export interface StoredDetails extends FindingDetails {
  readonly campaign: string;
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  /** If true, `count` is a number of programs. */
  readonly explored?: true;
  readonly count: number;
  readonly statements: number | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
}
