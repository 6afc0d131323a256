/**
 * All history formats of other programs, one row each. Our own history.ndjson has its reader in ndjson.ts. Detection
 * asks the rows in order, and each looks only at names and first bytes.
 */
import { UsageError } from '../../core/index.ts';
import { awditTest } from './awdit-test.ts';
import { bank, bankJson } from './bank.ts';
import { cobra } from './cobra.ts';
import { dbcop, dbcopJson } from './dbcop.ts';
import { elleEdn, elleJson } from './elle/elle.ts';
import type { HistoryFile, HistoryFormat } from './format.ts';
import { lwt } from './lwt.ts';
import { plume } from './plume/format.ts';

export const FORMATS: readonly HistoryFormat[] = [plume, awditTest, cobra, bank, bankJson, lwt, elleEdn, elleJson, dbcopJson, dbcop];

/** Returns the format that the files look like. Throws a UsageError if they look like none. */
export function detectFormat(files: readonly HistoryFile[]): HistoryFormat {
  const found = FORMATS.find((format) => format.detect(files));
  if (found !== undefined) return found;
  const names = files
    .map((file) => file.name)
    .slice(0, 3)
    .join(', ');
  throw new UsageError(
    `${names}: got a file that looks like none of ${FORMATS.map((format) => format.name).join(', ')}; name its format with --format`,
  );
}

/** Returns the format of this name. */
export function formatNamed(name: string): HistoryFormat {
  const found = FORMATS.find((format) => format.name === name);
  if (found !== undefined) return found;
  throw new UsageError(`got format ${JSON.stringify(name)}, expected one of ${FORMATS.map((format) => format.name).join(', ')}`);
}
