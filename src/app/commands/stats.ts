/** `anomalist stats PATH` shows the contents of a history without judging it. */
import { Command, Option } from '@commander-js/extra-typings';
import { isLwt, isMini, operationsOf } from '../../../check/index.ts';
import { EXIT, OP, TXN_OUTCOMES, kvKey } from '../../../core/index.ts';
import type { KvHistory, Note } from '../../../core/index.ts';
import { noteText, storedNotes } from '../../../reports/index-notes.ts';
import { FORMAT_NAMES } from './format-names.ts';
import { readTransactionHistory } from '../../judge/assess/history-files.ts';

export function statsCommand(finish: (exit: number) => void): Command {
  const command = new Command('stats');
  command
    .argument('<path>', 'a history file or folder')
    .addOption(new Option('--format <format>', 'what the history is').choices(['auto', ...FORMAT_NAMES]).default('auto'))
    .option('--json', 'one JSON object on stdout', false)
    .action((path, options) => {
      const stats = historyStats({ path, format: options.format });
      process.stdout.write(options.json ? `${JSON.stringify({ ...stats, ...storedNotes(stats.notes) })}\n` : statsText(path, stats));
      finish(EXIT.clean);
    });
  return command;
}

function statsText(path: string, stats: HistoryStats): string {
  const { transactions, operations, transactionSize } = stats;
  const rows: readonly (readonly [string, string])[] = [
    ['format', stats.format],
    ['sessions', String(stats.sessions)],
    ['transactions', `${transactions.committed} committed, ${transactions.aborted} aborted, ${transactions.unknown} unknown`],
    [
      'operations',
      `${operations.reads} reads, ${operations.writes} writes; ${transactionSize.join(' / ')} in a transaction (least, median, most)`,
    ],
    ['keys', `${stats.keys}; ${(100 * stats.hottestKey).toFixed(1)} % of the operations on the hottest`],
    ['times', stats.times ? 'yes' : 'no'],
    ['mini-transactions', stats.mini],
    ['lightweight', stats.lightweight],
    ...stats.notes.map((note) => ['note', noteText(note)] as const),
  ];
  return `${path}\n${rows.map(([name, value]) => `${name.padEnd(18)}${value}\n`).join('')}`;
}

export interface StatsArguments {
  readonly path: string;
  readonly format?: string;
}

export interface HistoryStats {
  readonly format: string;
  readonly kind: 'kv' | 'list';
  readonly sessions: number;
  readonly transactions: { readonly committed: number; readonly aborted: number; readonly unknown: number };
  readonly operations: { readonly reads: number; readonly writes: number };
  readonly keys: number;
  /** Operations in a transaction: least, median, most. */
  readonly transactionSize: readonly [least: number, median: number, most: number];
  /** Share of all operations on the key that has most. */
  readonly hottestKey: number;
  readonly times: boolean;
  /** `yes`, or the reason why it is no mini-transaction history; likewise for lightweight transactions. */
  readonly mini: string;
  readonly lightweight: string;
  readonly notes: readonly Note[];
}

export function historyStats(options: StatsArguments): HistoryStats {
  const { format, parsed } = readTransactionHistory('stats', options.path, options.format);
  if (parsed.kind === 'kv') return { format: format.name, ...statsOfKv(parsed.history) };
  const { transactions, notes } = parsed.history;
  const ops = transactions.flatMap((txn) => txn.ops);
  const count = (outcome: string): number => transactions.filter((txn) => txn.outcome === outcome).length;
  return {
    format: format.name,
    kind: 'list',
    sessions: new Set(transactions.map((txn) => txn.session)).size,
    transactions: { committed: count('committed'), aborted: count('aborted'), unknown: count('unknown') },
    operations: { reads: ops.filter((op) => op.kind === 'read').length, writes: ops.filter((op) => op.kind === 'append').length },
    ...usage(ops.map((op) => op.key)),
    transactionSize: sizes(Uint32Array.from(transactions, (txn) => txn.ops.length)),
    times: true,
    mini: 'no: list appends',
    lightweight: 'no: list appends',
    notes,
  };
}

function statsOfKv(history: KvHistory): Omit<HistoryStats, 'format'> {
  const status = { committed: 0, aborted: 0, unknown: 0 };
  for (const code of history.status) status[TXN_OUTCOMES[code]!]++;
  let writes = 0;
  for (const op of operationsOf(history)) if (history.kind[op] === OP.write) writes++;
  const mini = isMini(history);
  const lwt = isLwt(history);
  return {
    kind: 'kv',
    sessions: history.sessionCount,
    transactions: status,
    operations: { reads: history.opCount - writes, writes },
    ...usage(keysOf(history)),
    transactionSize: sizes(history.opEnd.map((end, t) => end - (history.opStart[t] ?? 0))),
    times: history.beginAt !== undefined,
    mini: mini.mini ? 'yes' : `no: ${mini.reason}`,
    lightweight: lwt.lwt ? 'yes' : `no: ${lwt.reason}`,
    notes: history.notes,
  };
}

function* keysOf(history: KvHistory): Generator<number | bigint> {
  for (const op of operationsOf(history)) yield history.keyHigh === undefined ? (history.keyLow[op] ?? 0) : kvKey(history, op);
}

function usage(keys: Iterable<string | number | bigint>): { readonly keys: number; readonly hottestKey: number } {
  const uses = new Map<string | number | bigint, number>();
  let total = 0;
  let most = 0;
  for (const key of keys) {
    const now = (uses.get(key) ?? 0) + 1;
    uses.set(key, now);
    total++;
    if (now > most) most = now;
  }
  return { keys: uses.size, hottestKey: total === 0 ? 0 : most / total };
}

function sizes(of: Uint32Array): HistoryStats['transactionSize'] {
  const sorted = of.toSorted();
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0, sorted[sorted.length - 1] ?? 0];
}
