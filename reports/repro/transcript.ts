/**
 * The case as numbered steps of its sessions, in its author's words, with replies and waits. With `readsBack`, the level
 * and the connection are read inside each transaction, as trackers want it. With auxiliary columns in the tables, the
 * statements are as they were sent, because others would not show the finding.
 */
import { oneLine } from '../text/visible.ts';
import { finalReads } from './final-reads.ts';
import { stepAnswer, waitingWords } from './repro-case.ts';
import type { ReproCase } from './repro-case.ts';
import type { Vendor } from '../../core/index.ts';

export function transcript(
  repro: ReproCase,
  { quote, connectionQuery }: Pick<Vendor, 'quote' | 'connectionQuery'>,
  readsBack: boolean,
): string {
  const lines = repro.steps.flatMap((step, i) => {
    const notes = [stepAnswer(step), waitingWords(repro, i), step.added ? 'added to show the anomaly' : undefined]
      .filter((note) => note !== undefined && note !== '')
      .map((note) => oneLine(note!));
    const asked = step.kind === 'begin' && readsBack && connectionQuery !== undefined;
    const sent = asked ? [...step.sql, connectionQuery] : repro.instrumented ? step.sql : [step.own];
    return sent.map(
      (sql, part) =>
        `${part === 0 ? `${String(i + 1).padStart(2)}.` : '   '} s${step.session}> ${oneLine(sql)};${part === sent.length - 1 && notes.length > 0 ? `  -- ${notes.join('; ')}` : ''}`,
    );
  });
  const end = finalReads(repro, quote).map(
    (sql, i) =>
      `    any> ${sql};  -- ${repro.finalState[i]!.rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`).join(' ') || 'no row'}`,
  );
  return [...repro.setup.map(({ sql }) => `    any> ${sql};`), ...lines, ...end].join('\n');
}
