/** What a run of the command line left on record, while it goes on too, or after a kill: packed, with its tail. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readEvents } from '../../check/index.ts';
import { tailOf, tailStart } from '../../core/history/index.ts';
import type { HistoryEvent } from '../../core/history/index.ts';
import { openStored } from '../../src/judge/assess/stored-history.ts';

/** Of the only run in this --out. */
export function historyOf(out: string): string {
  return join(out, readdirSync(out)[0]!, 'history.ndjson.gz');
}

/** Every event; a last line that was cut off is left out. */
export function eventsOf(file: string): HistoryEvent[] {
  const { read, close } = openStored(file);
  try {
    return [...readEvents(read, { file, allowCut: true })];
  } finally {
    close();
  }
}

/** Bytes of the unpacked history so far, of a run that goes on; 0 while there is none, or its tail has just been emptied. */
export function written(out: string): number {
  try {
    const tail = readFileSync(tailOf(historyOf(out)));
    const end = tail.indexOf('\n');
    const from = tailStart(tail.toString('utf8', 0, Math.max(end, 0)));
    return from === undefined ? 0 : from + tail.length - end - 1;
  } catch {
    return 0;
  }
}
