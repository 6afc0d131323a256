/** Folders of runs as a run leaves them at each stage: what goes on, what ended without a report, what has one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LevelProgress, ProgressEvent } from '../../../../../core/verdict/index.ts';

/** A process that was there and is gone: no kernel gives this number. */
export const GONE: number = 2 ** 30;

export const BEGIN = (pid: number, startedAt: Date = new Date()): ProgressEvent => ({
  event: 'begin',
  tool: 'anomalist x',
  pid,
  startedAt: startedAt.toISOString(),
  target: 'postgres@18',
  seed: '1',
  command: 'anomalist run',
  durationMs: 60_000,
});

export const ROUNDS = (seconds: number, transactions: number): ProgressEvent => ({
  event: 'rounds',
  seconds,
  levels: [
    {
      level: 'serializable',
      rounds: 1,
      transactions,
      committed: transactions,
      statements: 3 * transactions,
      anomalies: { bug: 0, undocumented: 0, documented: 0 },
    } satisfies LevelProgress,
  ],
});

export const FINDING = (id: string): ProgressEvent => ({
  event: 'finding',
  seconds: 2,
  id,
  verdict: 'bug',
  level: 'serializable',
  round: 0,
  name: 'write skew',
  class: 'G2-item',
  explanation: 'T1 and T2',
  sql: 's1 SELECT 1',
});

export const linesOf = (events: readonly ProgressEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

export function runFolder(out: string, id: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(out, id), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, id, name), text);
}
