/** `anomalist generate OUT`: a key-value history of a simulated execution, perhaps with one planted anomaly, as a file. */
import { formatNamed, generateKv } from '../../check/index.ts';
import type { GenerateKvOptions } from '../../check/index.ts';
import { UsageError } from '../../core/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { writeHistoryFiles } from '../history-files.ts';

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
  return { files: writeHistoryFiles(out, target.write({ kind: 'kv', history })), transactions: history.txnCount, operations: history.opCount };
}
