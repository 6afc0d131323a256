/** `anomalist convert IN OUT --to FORMAT`: a history from one format to another. */
import { formatNamed } from '../../check/index.ts';
import { UsageError } from '../../core/index.ts';
import { readForeignHistory, writeHistoryFiles } from '../history-files.ts';

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
  readonly notes: readonly string[];
}

export function convertHistory(options: ConvertArguments): ConvertResult {
  const target = formatNamed(options.toFormat);
  const { format, parsed } = readForeignHistory(options.from, options.fromFormat);
  if (target.write === undefined) throw new UsageError(`convert: ${target.name} cannot be written`);
  const files = writeHistoryFiles(options.to, target.write(parsed));
  const transactions = parsed.kind === 'kv' ? parsed.history.txnCount : parsed.history.transactions.length;
  return { fromFormat: format.name, toFormat: target.name, files, transactions, notes: parsed.history.notes };
}
