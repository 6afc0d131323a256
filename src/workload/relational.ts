/** The default workload: random schemas and random statements, instrumented, judged by their dependency graph. */
import type { Capabilities, InstrumentMode } from '../../core/index.ts';
import {
  PLAIN_SHAPES,
  WIDE_SHAPES,
  createRandom,
  formPairs,
  generateCase,
  optionsFor,
  resolveOptions,
  swarmOptions,
  towardsOf,
  towardsOptions,
} from '../../schema-gen/index.ts';
import type { GenerateOptions, Range } from '../../schema-gen/index.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import type { Workload } from '../judge/workload.ts';

export interface RelationalOptions {
  readonly capabilities: Capabilities;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: InstrumentMode;
  readonly sessions?: Range;
}

/** A stress round of this size takes about a second: enough for concurrency, and small enough for lists and graphs. */
const STRESS_TRANSACTIONS = { min: 40, max: 80 };

const FEW_SESSIONS: Range = { min: 2, max: 5 };

/**
 * Number of transactions for each session in rounds that run one of each session together. They are short, because their
 * serial orders judge them.
 */
const TOGETHER: Range = { min: 8, max: 16 };
const MOST_TOGETHER = 4;

export function relationalWorkload({ capabilities, mode, instrument, sessions = FEW_SESSIONS }: RelationalOptions): Workload {
  const options = resolveOptions({
    ...optionsFor(capabilities, WIDE_SHAPES),
    // The paper's Table 1 has no row for the other shapes, so a run of them would observe almost nothing.
    ...(instrument === 'paper' ? PLAIN_SHAPES : {}),
    mode,
    sessions,
    transactionsPerSession: STRESS_TRANSACTIONS,
  });
  return {
    words: instrument === 'none' ? '--instrument none' : '',
    instrument,
    ...(instrument === 'none' ? { outcomes: true as const } : { pairs: formPairs(options) }),
    caseOf: (seed) => generateCase(seed, instrument === 'none' ? drawnTogether(seed, options) : drawnFrom(seed, options)),
    assess: (history) => assessHistory(history),
  };
}

/** Returns the options for one program: a mixture that the seed draws, or one towards the forms that the seed names. */
function drawnFrom(seed: string, options: GenerateOptions): GenerateOptions {
  const random = createRandom(seed).fork('swarm');
  const forms = towardsOf(seed);
  return forms === undefined ? swarmOptions(random, options) : towardsOptions(random, options, forms);
}

/** Returns options with few, short transactions that all overlap. */
function drawnTogether(seed: string, options: GenerateOptions): GenerateOptions {
  const most = Math.max(options.sessions.min, MOST_TOGETHER);
  const drawn = swarmOptions(createRandom(seed).fork('swarm'), { ...options, mode: 'schedule', scheduledTransactionsPerSession: TOGETHER });
  const { min, max } = drawn.sessions;
  return min > most ? drawn : { ...drawn, sessions: { min, max: Math.min(max, most) } };
}
