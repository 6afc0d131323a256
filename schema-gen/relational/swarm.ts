/**
 * What one program is drawn from. With every shape of statement in every program each pair of them meets seldom, and on
 * many rows two transactions rarely meet at all: most bugs that vendors have mended need two or three statements of a few
 * kinds on one or two rows. So a share of the programs is narrow: few kinds of statement, short transactions, one or two
 * tables of no rows to two, keys from a domain of three values of which some are absent, so that inserts, deletes, moves of
 * a key and reads of nothing meet. Drawn anew for each program (swarm testing: Groce et al., ISSTA 2012).
 */
import type { Random } from '../../core/index.ts';
import { NO_STATEMENTS, type GenerateOptions, type Range, type StatementForm } from './options.ts';

/** Programs of each kind. */
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

/** What makes tables longer. */
const GROWTH: readonly StatementForm[] = ['insert', 'insertSelect', 'upsert', 'merge'];

/** Of a crowd: the largest number of sessions that is asked for, and how few transactions each of them has. */
const CROWD = 8;
const CROWD_TRANSACTIONS: Range = { min: 1, max: 2 };

/** One transaction that reads while the other sessions begin and end many. */
const OLD: Pick<GenerateOptions, 'oldReads' | 'transactionsPerSession'> = { oldReads: 120, transactionsPerSession: { min: 60, max: 120 } };

/** Of one program, drawn from those of the whole run. The sessions stay within the range that is given. */
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

/** Of these kinds of statement, as often as one another. */
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
    // Of a table that only grows, joins by values of which there are three take longer and longer: what comes must go.
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

/** Those that the run has at all, each as often as the others. */
function alike<K extends string>(weights: Readonly<Record<K, number>>): Record<K, number> {
  return Object.fromEntries(Object.entries<number>(weights).map(([name, weight]) => [name, weight > 0 ? 1 : 0])) as Record<K, number>;
}

/** Three to five of those that the run has at all, a read and a write among them if it has both: the plain ones in half of them. */
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
