/** @jsxRuntime automatic @jsxImportSource preact */
/** Unfolds a cell of the matrix: what was observed, what the vendor promises, and the statements in observed order. */
import type { VNode } from 'preact';
import { Badge } from '../components/badge.tsx';
import { sourceWords } from '../text/words.ts';
import type { MatrixCell, MatrixSchedule, TranscriptLine } from './report.ts';
import { bareSentence, lineOutcome, observedSentence, observedWord, promisedSentence } from './words.ts';

interface Props {
  readonly schedule: MatrixSchedule;
  readonly cell: MatrixCell;
  readonly id: string;
  readonly l: number;
}

export function Transcript({ schedule, cell, id, l }: Props): VNode {
  const sessions = Math.max(1, ...cell.outcomes.map(({ session }) => session));
  return (
    <section class="transcript" id={`c${id}-${l}`} tabIndex={-1}>
      <p class="head">
        <b>
          {schedule.name} at {cell.level}
        </b>
        <a href={`#r${id}`}>close</a>
      </p>
      <p>
        {schedule.title} <span class="quiet">({schedule.source})</span>
      </p>
      <p class="explanation">
        <Badge look={colourOf(cell)}>{observedWord(cell)}</Badge> {observedSentence(cell)}
      </p>
      <blockquote class={`promise ${PROMISE_COLOUR[cell.promised]}`}>
        <p>{promisedSentence(cell)}</p>
        {cell.source !== '' && <cite>{sourceWords(cell)}</cite>}
      </blockquote>
      {cell.bare !== undefined && <p class="bare">{bareSentence(cell)}</p>}
      {schedule.start.map((table) => (
        <pre class="start">
          <code>{table}</code>
        </pre>
      ))}
      <ol class="script" style={`--sessions:${sessions}`}>
        {cell.transcript.map((line, row) => (
          <ScriptLine line={line} row={row} />
        ))}
      </ol>
      <p class="quiet">{cell.outcomes.map(({ txn, session, outcome }) => `T${txn} (session ${session}) ${outcome}`).join(', ')}</p>
      {[...cell.found, ...cell.others].map((found) => (
        <div class="found">
          <p>
            <Badge look={found.verdict}>{found.verdict}</Badge> {found.explanation}
          </p>
          <ol>
            {found.edges.map((edge) => (
              <li>{edge}</li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

const PROMISE_COLOUR: Readonly<Record<MatrixCell['promised'], string>> = {
  'must not occur': 'bug',
  documented: 'documented',
  silent: 'undocumented',
};

/** Colours a cell by what a reader must do: look (contradicts, open), know (occurs), or nothing. */
export function colourOf(cell: MatrixCell): string {
  if (cell.verdict === 'contradicts') return 'bug';
  if (cell.verdict === 'open' || cell.observed === 'unknown') return 'inconclusive';
  if (cell.observed === 'occurs') return cell.promised === 'documented' ? 'documented' : 'undocumented';
  return cell.observed === 'absent' ? 'plain' : 'clean';
}

function ScriptLine({ line, row }: { readonly line: TranscriptLine; readonly row: number }): VNode {
  const state = line.error ? 'failed' : line.state === 'waits' ? 'blocked' : 'fine';
  return (
    <li class={`t${(line.session - 1) % 6} ${state}`} style={`--lane:${line.session};--row:${row + 1}`}>
      <b>
        S{line.session} T{line.txn}
      </b>{' '}
      <code>{line.sql}</code> <span>{lineOutcome(line)}</span>
    </li>
  );
}
