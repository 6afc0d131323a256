/**
 * Restricts the options of one program. If every program has every shape of statement, each pair of them meets seldom,
 * and on many rows two transactions rarely meet at all. Most fixed bugs of vendors need two or three statements of a
 * few kinds on one or two rows. A share of the programs is therefore narrow: few kinds of statement, short
 * transactions, one or two tables with at most two rows. Keys come from a domain of three values, of which some are
 * absent. Inserts, deletes, changes of a key and empty reads then meet. The options are drawn anew for each program
 * (swarm testing: Groce et al., ISSTA 2012).
 */
import type { Random } from '../../core/index.ts';
import { NO_STATEMENTS, type GenerateOptions, type Range, type StatementForm } from './options.ts';

/** The weights of the kinds of programs. */
const KINDS = { broad: 4, narrow: 3, crowd: 1, old: 1 };

const WRITES: readonly StatementForm[] = [
  'insert',
  'update',
  'delete',
  'upsert',
  'insertSelect',
  'updateFrom',
  'updateView',
  'deleteUsing',
  'parent',
  'merge',
  'withWrites',
];

/** Forms that make tables longer. */
const GROWTH: readonly StatementForm[] = ['insert', 'insertSelect', 'upsert', 'merge'];

/** A crowd has the largest number of sessions that is asked for, and each of them has few transactions. */
const CROWD = 8;
const CROWD_TRANSACTIONS: Range = { min: 1, max: 2 };

/** One transaction reads while the other sessions begin and end many. */
const OLD: Pick<GenerateOptions, 'oldReads' | 'transactionsPerSession'> = { oldReads: 120, transactionsPerSession: { min: 60, max: 120 } };

/** Draws the options of one program from those of the whole run. The sessions stay within the given range. */
export function swarmOptions(random: Random, options: GenerateOptions): GenerateOptions {
  const writeSubqueryShare = random.chance(0.5) ? 0 : options.writeSubqueryShare;
  const kind = random.weighted(KINDS);
  const few: Range = { min: options.sessions.min, max: Math.min(Math.max(options.sessions.min, 5), options.sessions.max) };
  if (kind === 'broad') return { ...options, writeSubqueryShare, sessions: few };
  const narrow = narrowOptions(random, { ...options, writeSubqueryShare, sessions: few }, formsOf(random, options));
  if (kind === 'old' && options.mode === 'stress') return { ...narrow, ...OLD };
  if (kind !== 'crowd' || options.sessions.max < CROWD) return narrow;
  return {
    ...narrow,
    sessions: { min: Math.max(CROWD, options.sessions.min), max: options.sessions.max },
    transactionsPerSession: CROWD_TRANSACTIONS,
    scheduledTransactionsPerSession: { min: 1, max: 1 },
  };
}

/** Restricts the options to these kinds of statement, each equally likely. */
export function narrowOptions(random: Random, options: GenerateOptions, forms: readonly StatementForm[]): GenerateOptions {
  const grows = forms.filter((form) => GROWTH.includes(form)).length;
  return {
    ...options,
    maxTable: random.int(1, 2),
    maxRow: random.int(1, 2),
    emptyShare: 0.2,
    domainSize: random.int(3, 4),
    maxStatement: 3,
    scheduledMaxStatement: 3,
    // In a table that only grows, joins by values of which there are three take longer and longer. Inserted rows must
    // therefore be deleted.
    statements: { ...NO_STATEMENTS, ...Object.fromEntries(forms.map((form) => [form, 1])), ...(grows > 0 && { delete: grows }) },
    keys: { ...options.keys, ...(grows > 0 && { none: 0 }) },
    threeTableShare: 0,
    absentShare: 0.3,
    smallKeyShare: 0.9,
    keyUpdateShare: 0.25,
    keyReturnShare: 0.7,
    nullKeyShare: options.nullKeyShare > 0 ? 0.4 : 0,
    repeatShare: 0.2,
    subqueryShare: random.chance(0.5) ? 0 : options.subqueryShare,
    readEverythingShare: 0,
    locks: { ...alike(options.locks), none: 4, update: 2 },
    targets: { point: 6, range: 3, any: 1, all: 1 },
    deleteTargets: { point: 5, range: 2, any: 1, all: 1, new: 4 },
  };
}

/** Makes the forms that the run has equally likely. */
function alike<K extends string>(weights: Readonly<Record<K, number>>): Record<K, number> {
  return Object.fromEntries(Object.entries<number>(weights).map(([name, weight]) => [name, weight > 0 ? 1 : 0])) as Record<K, number>;
}

/**
 * Draws three to five of the forms that the run has, a read and a write among them if it has both. Half of the draws
 * take the plain ones.
 */
function formsOf(random: Random, { statements }: GenerateOptions): readonly StatementForm[] {
  const all = random.shuffle((Object.keys(statements) as StatementForm[]).filter((form) => statements[form] > 0));
  const isWrite = (form: StatementForm): boolean => WRITES.includes(form);
  const oneOf = (forms: readonly StatementForm[], plain: StatementForm): readonly StatementForm[] =>
    forms.includes(plain) && random.chance(0.5) ? [plain] : forms.slice(0, 1);
  const first = [
    ...oneOf(all.filter(isWrite), 'update'),
    ...oneOf(
      all.filter((form) => !isWrite(form)),
      'select',
    ),
  ];
  return [...first, ...all.filter((form) => !first.includes(form))].slice(0, random.int(3, 5));
}
