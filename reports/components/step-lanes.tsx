/** @jsxRuntime automatic @jsxImportSource preact */
/** Plain statements in the order in which they were sent, a column for each session, each with what came of it. */
import type { VNode } from 'preact';
import type { ExploredLine } from '../../core/index.ts';

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

export function StepLanes({ steps }: { readonly steps: readonly LaneStep[] }): VNode {
  const sessions = [...new Set(steps.map(({ session }) => session))].toSorted((a, b) => a - b);
  return (
    <ol class="script" style={`--sessions:${sessions.length}`}>
      {steps.map((step, row) => (
        <Step step={step} lane={sessions.indexOf(step.session)} row={row} />
      ))}
    </ol>
  );
}

function Step({ step, lane, row }: { readonly step: LaneStep; readonly lane: number; readonly row: number }): VNode {
  const { session, sql, notes, state } = step;
  const told = notes.filter((note) => note !== undefined && note !== '');
  return (
    <li class={`t${lane % COLOURS} ${state}`} style={`--lane:${lane + 1};--row:${row + 1}`}>
      <b>s{session}</b> <code>{sql}</code>
      {told.length > 0 && (
        <>
          {' '}
          <span>{told.join('\n')}</span>
        </>
      )}
    </li>
  );
}

/** Of a small program: what it answered, a late reply where it came. */
export function ExploredLanes({ lines }: { readonly lines: readonly ExploredLine[] }): VNode {
  const steps = lines.map(({ session, sql, state, reply }): LaneStep => ({
    session,
    sql,
    notes: [state === 'waits' ? 'waits' : state === 'replies late' ? `goes on: ${reply}` : reply],
    state: state === 'waits' ? 'blocked' : '',
  }));
  return <StepLanes steps={steps} />;
}
