/** What server and page tell each other of a store's campaigns: types alone, shared by both. */
import type { Level, LevelProgress, PromiseVerdict } from '../../../../core/index.ts';
import type { FindingDetails } from './messages.ts';

export interface CampaignLine {
  readonly name: string;
  readonly state: 'running' | 'stopped' | 'done';
  readonly slices: number;
  readonly done: number;
  readonly underWay: number;
  readonly givenUp: number;
  /** Slices that had to be handed out again. */
  readonly attempts: number;
  readonly rounds: number;
  /** Distinct ones, by verdict. */
  readonly findings: Readonly<Record<PromiseVerdict, number>>;
  readonly levels: readonly CoveredLevel[];
  readonly explored: readonly CoveredPrograms[];
  /** Pairs of forms that some program of its explorations had, over all levels and releases; absent: nothing was explored. */
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
  /** It was heard of within the time after which others do its slice. */
  readonly alive: boolean;
  readonly seenAt: string;
  /** Slices of its that were accepted. */
  readonly accepted: number;
  /** What it is at. */
  readonly slice?: { readonly campaign: string; readonly words: string; readonly since: string };
}

export interface CampaignsState {
  /** The store's URL, without credentials. */
  readonly store: string;
  readonly campaigns: readonly CampaignLine[];
  /** Those that were heard of in the last day, or that have a slice. */
  readonly workers: readonly WorkerLine[];
}

export interface StoredLine {
  readonly key: string;
  readonly n: number;
  readonly whole: boolean;
  readonly count: number;
  /** Of the smallest reproduction; null: it was not reproduced. */
  readonly statements: number | null;
  readonly firstSeen: string;
  readonly isNew: boolean;
  readonly explanation: string;
  /** The statements that it rests on, or of the reduced case; empty where they are not kept, and beyond the first hundred. */
  readonly sql: string;
}

export interface StoredFamily {
  readonly target: string;
  readonly release: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly name: string;
  readonly edges: string;
  /** Of what was explored: programs. */
  readonly anomalies: number;
  readonly explored?: true;
  readonly findings: readonly StoredLine[];
}

export interface CampaignFindings {
  /** What was first seen from then on is new: midnight before yesterday. */
  readonly since: string;
  readonly families: readonly StoredFamily[];
}

export interface StoredDetails extends FindingDetails {
  readonly campaign: string;
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  /** `count` is a number of programs. */
  readonly explored?: true;
  readonly count: number;
  readonly statements: number | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
}
