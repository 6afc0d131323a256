/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows plain statements in the order in which they were sent. Each session has a column, and each statement has its
 * result.
 */
import type { VNode } from 'preact';
import type { ExploredLine } from '../../core/verdict/index.ts';

/** Sessions have this many colours, which then repeat. */
const COLOURS = 6;

export interface LaneStep {
  /** Sessions are counted from 1. */
  readonly session: number;
  readonly sql: string;
  /** The notes say what the statement returned and whether it waited. Empty notes are left out. */
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

/** Shows the statements of a small program with their replies. A late reply stands where it came. */
export function ExploredLanes({ lines, raced }: { readonly lines: readonly ExploredLine[]; readonly raced?: true | undefined }): VNode {
  const [sent, late] = raced ? ['sent', 'reply'] : ['waits', 'goes on'];
  const steps = lines.map(({ session, sql, state, reply }): LaneStep => ({
    session,
    sql,
    notes: [state === 'waits' ? sent : state === 'replies late' ? `${late}: ${reply}` : reply],
    state: state === 'waits' && !raced ? 'blocked' : '',
  }));
  return <StepLanes steps={steps} />;
}
