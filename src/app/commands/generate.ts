/** `anomalist generate OUT` writes a key-value history of a simulated execution to a file, optionally with one planted anomaly. */
import { Command, Option } from '@commander-js/extra-typings';
import { PLANTABLE, formatNamed, generateKv } from '../../../check/index.ts';
import type { GenerateKvOptions } from '../../../check/index.ts';
import { DISTRIBUTIONS, EXIT, UsageError } from '../../../core/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import { WRITABLE_FORMATS } from './format-names.ts';
import { writeHistoryFiles } from '../../judge/assess/history-files.ts';
import { parseNatural, parsePositive } from '../../target/parse-options.ts';

export function generateCommand(finish: (exit: number) => void): Command {
  const command = new Command('generate');
  command
    .argument('<out>', 'the file (or folder, for cobra) to write')
    .addOption(
      new Option('--kind <kind>', 'mini-transactions or general ones').choices(['mini', 'general'] as const).default('mini' as const),
    )
    .option('--sessions <n>', 'sessions', parsePositive, 10)
    .option('--transactions <n>', 'transactions over all sessions', parsePositive, 1000)
    .option('--keys <n>', 'keys', parsePositive, 100)
    .option('--operations <n>', 'operations of a general transaction', parsePositive, 8)
    .addOption(new Option('--distribution <which>', 'how keys are drawn').choices(DISTRIBUTIONS).default('uniform' as const))
    .addOption(
      new Option('--isolation <which>', 'of the simulated execution').choices(['serial', 'snapshot'] as const).default('serial' as const),
    )
    .addOption(new Option('--plant <anomaly>', 'one anomaly to plant').choices(PLANTABLE))
    .addOption(new Option('--format <format>', 'what to write').choices(WRITABLE_FORMATS).default('plume'))
    .option('--seed <n>', 'the same seed gives the same history', parseNatural, 1)
    .action((out, { plant, seed, ...options }) => {
      const made = generateHistory({ ...options, ...(plant === undefined ? {} : { plant }), seed: String(seed), out });
      process.stdout.write(`${made.files.join(', ')}: ${made.transactions} transactions, ${made.operations} operations, seed ${seed}\n`);
      finish(EXIT.clean);
    });
  return command;
}

export interface GenerateArguments extends GenerateKvOptions {
  readonly out: string;
  /** A name of the FORMATS table; default plume. */
  readonly format?: string;
  readonly seed: string;
}

export interface GenerateResult {
  readonly files: readonly string[];
  readonly transactions: number;
  readonly operations: number;
}

export function generateHistory(options: GenerateArguments): GenerateResult {
  const { out, format = 'plume', seed, ...rest } = options;
  const target = formatNamed(format);
  if (target.write === undefined) throw new UsageError(`generate: ${target.name} cannot be written`);
  const history = generateKv(rest, createRandom(seed));
  return {
    files: writeHistoryFiles(out, target.write({ kind: 'kv', history })),
    transactions: history.txnCount,
    operations: history.opCount,
  };
}
