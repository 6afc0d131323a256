export { check } from './check.ts';
export type { CheckOptions, CheckResult, Operation, PlainHistory, Transaction } from './check.ts';
export { explore } from './explore.ts';
export type { ExploreOptions, ExploreResult, ExploredLevel, ExploredPair, Programs } from './explore.ts';
export { run } from './run.ts';
export type { RunInvariant, RunLevel, RunOptions, RunResult } from './run.ts';
export { replay } from './replay.ts';
export type { ReplayOptions, ReplayResult, ReplayedAt } from './replay.ts';
export type { Finding, FindingRecord } from './finding.ts';
export { IncompleteError } from './incomplete-error.ts';
export type { CallOptions, Inconclusive, ProgressEvent } from './events.ts';
export { DatabaseError, InternalError, UsageError } from '../../core/index.ts';
export type {
  Answer,
  AskedLevel,
  KvAnomaly,
  KvCycleStep,
  KvOperation,
  Level,
  FindingSeen,
  LevelProgress,
  PromiseVerdict,
  Rate,
  TxnOutcome,
} from '../../core/index.ts';
