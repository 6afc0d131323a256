/**
 * `--workload` as one table: the names, a title for each, which other options apply to it, and how it is made. An unknown
 * name, or an option that does not apply, is refused before anything is started.
 */
import { UsageError } from '../../core/base/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { KeyValueKind } from '../../schema-gen/index.ts';
import { nearest } from '../target/parse-options.ts';
import { keyValueWorkload } from './key-value.ts';
import { expectWorkloadFile, fileWorkload, SHIPPED_RACES, SHIPPED_WORKLOADS } from './file.ts';
import type { WorkloadOptions } from './options.ts';
import { relationalWorkload } from './relational.ts';
import type { Workload } from '../judge/workload.ts';

/** Options that apply to some workloads only. */
type Special = 'instrument' | 'towards' | 'objects' | 'distribution' | 'transactions' | 'operations' | 'concurrency' | 'late' | 'scale';
const SPECIAL: readonly Special[] = [
  'instrument',
  'towards',
  'objects',
  'distribution',
  'transactions',
  'operations',
  'concurrency',
  'late',
  'scale',
];

export interface WorkloadRow {
  /** The word after --workload. */
  readonly name: string;
  readonly title: string;
  readonly takes: readonly Special[];
  /** The workload has transactions in SQL that can be explored two at a time. */
  readonly isFile?: true;
  /** Its transactions may run at different levels in one round. */
  readonly mixes?: true;
  make(options: WorkloadOptions, dialect: Dialect): Workload | Promise<Workload>;
}

export const DEFAULT_WORKLOAD = 'relational';

export const WORKLOADS: readonly WorkloadRow[] = [
  {
    name: DEFAULT_WORKLOAD,
    title: 'random schemas and statements',
    takes: ['instrument', 'towards'],
    make: ({ mode, instrument = 'exact', sessions, mostSessions = 5 }, { capabilities }) =>
      relationalWorkload({ capabilities, mode, instrument, sessions: { min: sessions ?? 2, max: sessions ?? mostSessions } }),
  },
  registersRow('mini', 'mini-transactions on single objects', ['late']),
  registersRow('general', 'general key-value transactions', ['operations', 'late']),
  keyValueRow('append', 'lists that are read and appended to', ['operations']),
  keyValueRow('lwt', 'lightweight transactions: compare-and-set', []),
  registersRow('twitter-kv', 'a social network as objects whose values repeat', []),
  registersRow('rubis-kv', 'an auction site as objects whose values repeat', []),
  registersRow('tpcc-kv', 'an order system as objects whose values repeat', []),
  ...SHIPPED_WORKLOADS.map(({ name, title }) => fileRow(name, title)),
];

/** Names of workloads that take mixed levels. */
export const MIXING: readonly string[] = WORKLOADS.filter(({ mixes }) => mixes === true).map(({ name }) => name);

function keyValueRow(kind: KeyValueKind, title: string, more: readonly Special[]): WorkloadRow {
  return {
    name: kind,
    title,
    takes: ['objects', 'distribution', 'transactions', 'concurrency', ...more],
    make: (options) => keyValueWorkload(kind, options),
  };
}

/** The values show what each transaction reads and writes, and each transaction has a BEGIN. */
function registersRow(kind: KeyValueKind, title: string, more: readonly Special[]): WorkloadRow {
  return { ...keyValueRow(kind, title, more), mixes: true };
}

function fileRow(name: string, title: string, text?: string): WorkloadRow {
  return {
    name,
    title,
    takes: ['transactions', 'scale'],
    isFile: true,
    make: (options, dialect) => fileWorkload(name, options, dialect, text),
  };
}

/** Returns the row of that name, after checking that the given options apply to it. `text`: the file's, which is then not read. */
export function chosenWorkload(word: string, options: WorkloadOptions, text?: string): WorkloadRow {
  const own = word.endsWith('.sql') ? { title: 'a file of SQL' } : SHIPPED_RACES.find(({ name }) => name === word);
  const row = WORKLOADS.find(({ name }) => name === word) ?? (own === undefined ? undefined : fileRow(word, own.title, text));
  if (word.endsWith('.sql') && text === undefined) expectWorkloadFile(word);
  const names = [...WORKLOADS, ...SHIPPED_RACES].map(({ name }) => name);
  if (row === undefined) {
    const near = nearest(word, names);
    throw new UsageError(
      `--workload ${word}: there is no such workload.${near ? ` Did you mean ${near}?` : ''} Workloads: ${names.join(', ')}, and FILE.sql.`,
    );
  }
  for (const option of SPECIAL) {
    if (options[option] === undefined || row.takes.includes(option)) continue;
    const takers = WORKLOADS.filter(({ takes }) => takes.includes(option)).map(({ name }) => name);
    throw new UsageError(
      `--${option} says nothing to --workload ${row.name}; it applies to ${takers.join(', ')}. Leave it out, or choose one of those.`,
    );
  }
  if (options.concurrency !== undefined && options.mode === 'schedule')
    throw new UsageError(
      '--concurrency is a share of sessions at full speed; a schedule fixes the order of all statements. Leave out --concurrency, or --mode schedule.',
    );
  return row;
}
