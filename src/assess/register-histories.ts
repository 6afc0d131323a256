/** The register histories that a check was of: the one that another program wrote, or those of rounds, by their numbers. */
import { readHistories } from '../../check/index.ts';
import { UsageError } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { formatOf, historyFile } from './file.ts';
import { readForeignHistory } from './history-files.ts';
import { openStored } from './stored-history.ts';

/** `rounds`: those that are asked for; the history of another program is of round `undefined`. */
export async function registerHistories(
  path: string,
  format: string,
  rounds: ReadonlySet<unknown>,
): Promise<ReadonlyMap<unknown, KvHistory>> {
  const file = historyFile(path);
  if ((format === 'auto' ? formatOf(file, undefined) : format) === 'ndjson') return ofRounds(file, rounds);
  const { parsed } = readForeignHistory(file, format);
  if (parsed.kind === 'kv') return new Map([[undefined, parsed.history]]);
  throw new UsageError(`${path}: got a history of lists, which is never refuted by cases; expected the history that the report is of.`);
}

async function ofRounds(file: string, rounds: ReadonlySet<unknown>): Promise<ReadonlyMap<unknown, KvHistory>> {
  const { registersOfRound } = await import('./key-value/index.ts');
  const found = new Map<unknown, KvHistory>();
  const { read, close } = openStored(file);
  try {
    for (const history of readHistories(read, { file, allowCut: false })) {
      const registers = rounds.has(history.round.round) ? registersOfRound(history) : undefined;
      if (registers !== undefined) found.set(history.round.round, registers);
    }
  } finally {
    close();
  }
  return found;
}
