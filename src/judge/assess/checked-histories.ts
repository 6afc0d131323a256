/** The histories that a check was about: the history that another program wrote, or the registers of rounds, by round number. */
import { readHistories } from '../../../check/index.ts';
import type { TransactionHistory } from '../../../check/index.ts';
import { formatOf, historyFile } from './file.ts';
import { readTransactionHistory } from './history-files.ts';
import { openStored } from './stored-history.ts';

/** `rounds`: the wanted rounds. Registers of another program have round `undefined`, lists have round 0. */
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
