/** Lists the runs below OUT, the latest first, with the form that starts one. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, counted } from '../../../../reports/in-page.ts';
import { Counts } from './counts.tsx';
import type { Overview, RunLine } from './messages.ts';
import { Lost } from './notice.tsx';
import { StartForm } from './start-form.tsx';
import { useEvents } from './use-events.ts';
import { STANDING, STATE, whenOf } from './words.ts';

export function RunsView(): VNode {
  const [overview, setOverview] = useState<Overview>();
  const { lost } = useEvents('api/events', { overview: setOverview });
  return (
    <>
      <Lost lost={lost} />
      <StartForm started={overview?.started} />
      <h2>
        Runs <span class="count">{overview && overview.runs.length}</span>
      </h2>
      {overview?.runs.length === 0 && (
        <p class="quiet">
          There are none below <code>{overview.out}</code> yet. A run that anybody starts with{' '}
          <code>anomalist run --out {overview.out}</code> is shown here, too.
        </p>
      )}
      <ul class="runs">
        {overview?.runs.map((run) => (
          <Line key={run.id} run={run} />
        ))}
      </ul>
    </>
  );
}

function Line({ run }: { readonly run: RunLine }): VNode {
  const { id, state, kind, target, levels, transactions, findings } = run;
  return (
    <li>
      <a class={`run-line ${kind ?? STATE[state].look}`} href={`#/run/${encodeURIComponent(id)}`}>
        <Badge look={kind ?? STATE[state].look}>{kind === undefined ? STATE[state].word : STANDING[kind]}</Badge>
        <span class="name">{whenOf(id)}</span>
        <span class="what">{target}</span>
        {levels.length > 0 && <span class="what">{levels.join(', ')}</span>}
        <span class="what">{counted(transactions, 'transaction')}</span>
        <span class="where">
          <Counts of={findings} />
        </span>
      </a>
    </li>
  );
}
