/** Plain statements in the order in which they were sent, a column for each session, each with what came of it. */
import type { ExploredLine } from '../../core/index.ts';
import { html, type Markup } from './markup.ts';

/** Of transactions; then they repeat. */
const COLOURS = 6;

export interface LaneStep {
  /** From 1. */
  readonly session: number;
  readonly sql: string;
  /** What it answered, that it waited; empty ones are left out. */
  readonly notes: readonly (string | undefined)[];
  readonly state: 'blocked' | 'failed' | '';
}

export function stepLanes(steps: readonly LaneStep[]): Markup {
  const sessions = [...new Set(steps.map(({ session }) => session))].toSorted((a, b) => a - b);
  const item = ({ session, sql, notes, state }: LaneStep, row: number): Markup => {
    const lane = sessions.indexOf(session);
    const told = notes.filter((note) => note !== undefined && note !== '');
    return html`<li class="t${lane % COLOURS} ${state}" style="--lane:${lane + 1};--row:${row + 1}"><b>s${session}</b> <code>${sql}</code>${told.length === 0 ? null : html` <span>${told.join('\n')}</span>`}</li>`;
  };
  return html`<ol class="script" style="--sessions:${sessions.length}">${steps.map(item)}</ol>`;
}

/** Of a small program: what it answered, a late reply where it came. */
export function exploredLanes(lines: readonly ExploredLine[]): Markup {
  return stepLanes(
    lines.map(({ session, sql, state, reply }) => ({
      session,
      sql,
      notes: [state === 'waits' ? 'waits' : state === 'replies late' ? `goes on: ${reply}` : reply],
      state: state === 'waits' ? 'blocked' : '',
    })),
  );
}
