/**
 * repro.sql: the case for people with two terminals. Each statement is a line, in the order of sending. The comment
 * before it names the session. The comment behind it has the reply, or which session waits for which. A program can run
 * it too: `/* s<session> *\/` opens each statement, `/* any *\/` those that any session may send.
 */
import type { Vendor } from '../../core/index.ts';
import { terminated } from '../text/terminated.ts';
import { oneLine, visible } from '../text/visible.ts';
import { caseHeader } from './case-header.ts';
import { finalReads } from './final-reads.ts';
import { reproCase, stepAnswer, waitingWords } from './repro-case.ts';
import type { FiledFinding, ReproCase } from './repro-case.ts';

export function sqlScript(finding: FiledFinding, server: string): string {
  const repro = reproCase(finding);
  return scriptOf(repro, caseHeader(finding, server, repro), finding.vendor);
}

export function scriptOf(
  repro: ReproCase,
  header: readonly string[],
  { quote, versionQuery, connectionQuery }: Pick<Vendor, 'quote' | 'versionQuery' | 'connectionQuery'>,
): string {
  const comment = (text: string): string => oneLine(text).replaceAll('*/', '* /');
  const lines = [
    ...header.map((line) => (line === '' ? '--' : `-- ${visible(line)}`)),
    '-- One client for each session. Send the statements in this order; wait for each reply, but not where it says that',
    '-- the statement waits: there go on with the next line.',
    '',
    `/* any */ ${versionQuery};`,
    ...repro.setup.flatMap(({ sql }) => terminated(sql, '/* any */ ')),
    '',
  ];
  for (const [i, step] of repro.steps.entries()) {
    const notes = [waitingWords(repro, i), stepAnswer(step), step.added ? 'added to show the anomaly' : undefined].filter(
      (note) => note !== undefined && note !== '',
    );
    const asked = step.kind === 'begin' && connectionQuery !== undefined;
    if (asked) notes.push('the level in force is read back inside the transaction, and its connection');
    const own = asked ? [...step.sql, connectionQuery] : step.sql;
    lines.push(
      ...own.map(
        (sql, part) =>
          `/* s${step.session} */ ${sql};${part < own.length - 1 ? '' : `  -- ${i + 1}. T${step.txn}${notes.length === 0 ? '' : `: ${comment(notes.join('; '))}`}`}`,
      ),
    );
  }
  if (repro.finalState.length > 0) {
    lines.push('', '-- In the end:');
    for (const [i, sql] of finalReads(repro, quote).entries())
      lines.push(
        `/* any */ ${sql};  -- ${comment(repro.finalState[i]!.rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`).join(' ') || 'no row')}`,
      );
  }
  return `${lines.join('\n')}\n`;
}
