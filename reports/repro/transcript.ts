/** The case as numbered steps of its sessions: the level read back, what came back, who waited for whom. */
import { oneLine } from '../text/visible.ts';
import { finalReads, stepAnswer, waitingWords } from './repro-case.ts';
import type { ReproCase } from './repro-case.ts';
import type { Vendor } from '../../core/index.ts';

export function transcript(repro: ReproCase, { quote, connectionQuery }: Pick<Vendor, 'quote' | 'connectionQuery'>): string {
  const lines = repro.steps.flatMap((step, i) => {
    const notes = [stepAnswer(step), waitingWords(repro, i), step.added ? 'added to show the anomaly' : undefined]
      .filter((note) => note !== undefined && note !== '')
      .map((note) => oneLine(note!));
    const own = step.kind === 'begin' ? [...step.sql, connectionQuery] : step.sql;
    return own.map(
      (sql, part) =>
        `${part === 0 ? `${String(i + 1).padStart(2)}.` : '   '} s${step.session}> ${oneLine(sql)};${part === own.length - 1 && notes.length > 0 ? `  -- ${notes.join('; ')}` : ''}`,
    );
  });
  const end = finalReads(repro, quote).map(
    (sql, i) =>
      `    any> ${sql};  -- ${repro.finalState[i]!.rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`).join(' ') || 'no row'}`,
  );
  return [...repro.setup.map(({ sql }) => `    any> ${sql};`), ...lines, ...end].join('\n');
}
