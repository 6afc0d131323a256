/**
 * Replays and reduces a finding. The user chooses the target and the time, and the panel shows the progress and the
 * result.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { counted, grouped } from '../../../../reports/in-page.ts';
import { ask } from './ask.ts';
import { Choice } from './choice.tsx';
import type { Choices, ReplayResult, ReplayState } from './messages.ts';
import { Lost, Notice } from './notice.tsx';
import { useEvents } from './use-events.ts';
import { timeWords } from './words.ts';

interface Props {
  /** Requests about the finding begin with this path. */
  readonly path: string;
  readonly run: string;
  readonly n: number;
  /** Names the target on which the finding occurred. It is the default if the page can reach it. */
  readonly target: string;
  readonly done: (state: ReplayState | undefined) => void;
}

const BUDGETS = [20, 60, 300];

export function ReplayPanel({ path, run, n, target, done }: Props): VNode {
  const [choices, setChoices] = useState<Choices>();
  const [state, setState] = useState<ReplayState | null>(null);
  const [failed, setFailed] = useState<string>();
  const [where, setWhere] = useState<string>();
  const [budget, setBudget] = useState(BUDGETS[0]!);
  const { lost } = useEvents('api/replay/events', { replay: (told: ReplayState | null) => setState(told) });
  useEffect(() => {
    ask<Choices>('api/choices').then(setChoices, (error: Error) => setFailed(error.message));
  }, []);
  const ours = state?.run === run && state.n === n ? state : undefined;
  const running = state?.state === 'running';
  useEffect(() => done(ours?.state === 'done' ? ours : undefined), [ours?.id, ours?.state]);
  const names = choices?.targets.map(({ name }) => name) ?? [];
  const chosen = where ?? names.find((name) => name === target) ?? names[0];
  const replay = (reduceSeconds: number): void => {
    setFailed(undefined);
    ask(`${path}/replay`, { target: chosen, reduceSeconds }).catch((error: Error) => setFailed(error.message));
  };
  return (
    <section class="panel replays" aria-label="Replay">
      <Lost lost={lost} />
      <Notice words={failed ?? (ours?.state === 'failed' ? ours.words : undefined)} />
      <div class="controls">
        <Choice label="on" name="target" value={chosen} words={names.map((name) => [name, name])} chosen={setWhere} />
        <button type="button" class="main" disabled={running} onClick={() => replay(0)}>
          Replay
        </button>
        <button type="button" class="main" disabled={running} onClick={() => replay(budget)}>
          Replay and reduce
        </button>
        <Choice
          label="within"
          name="budget"
          value={String(budget)}
          words={BUDGETS.map((seconds) => [String(seconds), timeWords(seconds)])}
          chosen={(word) => setBudget(Number(word))}
        />
        {running && (
          <button type="button" onClick={() => void ask('api/replay/stop', {})}>
            Stop
          </button>
        )}
      </div>
      <p class="state" role="status">
        {running && ours === undefined && `AnomalyFinding ${state.n} of another view is being replayed.`}
        {ours?.state === 'running' && `${ours.words}, ${timeWords(ours.seconds)}`}
        {ours?.state === 'stopped' && 'Stopped.'}
        {ours?.result && resultWords(ours.result, ours)}
      </p>
    </section>
  );
}

function resultWords({ tries, seen, verdict, reduced }: ReplayResult, { target, seconds }: ReplayState): string {
  const times = `${seen} of ${tries} on ${target}`;
  if (seen === 0) return `It did not occur again: ${times}, ${timeWords(seconds)}. It may need a race.`;
  const smaller =
    reduced === undefined
      ? ''
      : ` Reduced from ${counted(reduced.before.transactions, 'transaction')} and ${counted(reduced.before.statements, 'statement')} to ${reduced.after.transactions} and ${reduced.after.statements} in ${grouped(reduced.executions)} executions${reduced.complete ? '' : '; the time was over before it was as small as can be'}.`;
  return `Occurred again: ${times}, ${verdict}, ${timeWords(seconds)}.${smaller} Below is the case as it was replayed.`;
}
