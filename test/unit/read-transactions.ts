import { formatNamed } from '../../check/index.ts';
import type { HistoryFile, TransactionHistory } from '../../check/index.ts';

/** The format must be none of banks. */
export function readTransactions(format: string, files: readonly HistoryFile[]): TransactionHistory {
  const parsed = formatNamed(format).read(files);
  if (parsed.kind === 'bank') throw new Error(`${format} reads transactions`);
  return parsed;
}
