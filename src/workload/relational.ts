/** The default workload: random schemas and random statements, instrumented, judged by their dependency graph. */
import type { Capabilities } from '../../core/index.ts';
import { PLAIN_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import type { GivenOptions } from '../../schema-gen/index.ts';
import { assessHistory } from '../assess/graph.ts';
import type { Workload } from './workload.ts';

export interface RelationalOptions {
  readonly capabilities: Capabilities;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: 'exact' | 'paper';
  readonly sessions?: number;
}

/** A stress round of this size takes about a second: long enough to be busy, short enough to keep lists and graphs small. */
const STRESS_TRANSACTIONS = { min: 40, max: 80 };

export function relationalWorkload({ capabilities, mode, instrument, sessions }: RelationalOptions): Workload {
  const options: GivenOptions = {
    ...optionsFor(capabilities),
    // The paper's Table 1 has no row for the other shapes: a run of them would observe next to nothing.
    ...(instrument === 'paper' ? PLAIN_SHAPES : {}),
    mode,
    transactionsPerSession: STRESS_TRANSACTIONS,
    ...(sessions === undefined ? {} : { sessions: { min: sessions, max: sessions } }),
  };
  return { words: '', instrument, caseOf: (seed) => generateCase(seed, options), assess: (history) => assessHistory(history) };
}
