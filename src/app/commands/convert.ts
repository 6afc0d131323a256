/** `anomalist convert IN OUT --to FORMAT` converts a history from one format to another. */
import { Command, Option } from '@commander-js/extra-typings';
import { formatNamed } from '../../../check/index.ts';
import { EXIT, UsageError } from '../../../core/index.ts';
import type { Note } from '../../../core/index.ts';
import { noteText } from '../../../reports/index-notes.ts';
import { FORMAT_NAMES, WRITABLE_FORMATS } from './format-names.ts';
import { readTransactionHistory, writeHistoryFiles } from '../../judge/assess/history-files.ts';

export function convertCommand(finish: (exit: number) => void): Command {
  const command = new Command('convert');
  command
    .argument('<from>', 'a history file or folder')
    .argument('<to>', 'the file (or folder, for cobra) to write')
    .addOption(new Option('--format <format>', 'what the history is').choices(['auto', ...FORMAT_NAMES]).default('auto'))
    .addOption(new Option('--to <format>', 'what to write').choices(WRITABLE_FORMATS).makeOptionMandatory())
    .action((from, to, options) => {
      const done = convertHistory({ from, to, fromFormat: options.format, toFormat: options.to });
      for (const note of done.notes) process.stderr.write(`note: ${noteText(note)}\n`);
      process.stdout.write(
        `${from} (${done.fromFormat}) -> ${done.files.join(', ')} (${done.toFormat}), ${done.transactions} transactions\n`,
      );
      finish(EXIT.clean);
    });
  return command;
}

export interface ConvertArguments {
  readonly from: string;
  readonly to: string;
  /** A name of the FORMATS table, or `auto`. */
  readonly fromFormat?: string;
  readonly toFormat: string;
}

export interface ConvertResult {
  readonly fromFormat: string;
  readonly toFormat: string;
  readonly files: readonly string[];
  readonly transactions: number;
  readonly notes: readonly Note[];
}

export function convertHistory(options: ConvertArguments): ConvertResult {
  const target = formatNamed(options.toFormat);
  const { format, parsed } = readTransactionHistory('convert', options.from, options.fromFormat);
  if (target.write === undefined) throw new UsageError(`convert: ${target.name} cannot be written`);
  const files = writeHistoryFiles(options.to, target.write(parsed));
  const transactions = parsed.kind === 'kv' ? parsed.history.txnCount : parsed.history.transactions.length;
  const dropped = parsed.kind === 'kv' && parsed.history.beginAt !== undefined && target.writesTimes !== true;
  const notes = [...parsed.history.notes];
  if (dropped) notes.push({ code: 'times-left-out', data: { format: target.name } });
  if (parsed.kind === 'kv' && parsed.history.level !== undefined && target.writesLevels !== true)
    notes.push({ code: 'levels-left-out', data: { format: target.name } });
  return { fromFormat: format.name, toFormat: target.name, files, transactions, notes };
}
