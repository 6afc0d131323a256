/** The histories that a check was of: the one that another program wrote, or the registers of rounds, by their numbers. */
import { readHistories } from '../../../check/index.ts';
import type { TransactionHistory } from '../../../check/index.ts';
import { formatOf, historyFile } from './file.ts';
import { readTransactionHistory } from './history-files.ts';
import { openStored } from './stored-history.ts';

/** `rounds`: those that are asked for; registers of another program are of round `undefined`, lists of round 0. */
export async function checkedHistories(
  path: string,
  format: string,
  rounds: ReadonlySet<unknown>,
): Promise<ReadonlyMap<unknown, TransactionHistory>> {
  const file = historyFile(path);
  if ((format === 'auto' ? formatOf(file, undefined) : format) === 'ndjson') return ofRounds(file, rounds);
  const { parsed } = readTransactionHistory('verify', file, format);
  return new Map([[parsed.kind === 'kv' ? undefined : 0, parsed]]);
}

async function ofRounds(file: string, rounds: ReadonlySet<unknown>): Promise<ReadonlyMap<unknown, TransactionHistory>> {
  const { registersOfRound } = await import('./key-value/index.ts');
  const found = new Map<unknown, TransactionHistory>();
  const { read, close } = openStored(file);
  try {
    for (const history of readHistories(read, { file, allowCut: false })) {
      const registers = rounds.has(history.round.round) ? registersOfRound(history) : undefined;
      if (registers !== undefined) found.set(history.round.round, { kind: 'kv', history: registers });
    }
  } finally {
    close();
  }
  return found;
}
