/** The runs below OUT, the latest first. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import type { RunLine, RunList } from './messages.ts';

export function RunsView(): VNode {
  const [list, setList] = useState<RunList>();
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    ask<RunList>('api/runs').then(setList, (error: Error) => setFailed(error.message));
  }, []);
  return (
    <>
      <h2>Runs {list && <span class="count">{list.runs.length}</span>}</h2>
      {failed && <p role="alert">{failed}</p>}
      {list?.runs.length === 0 && <p class="quiet">None below {list.out} yet.</p>}
      <ul class="runs">
        {list?.runs.map((run) => (
          <Line key={run.id} run={run} />
        ))}
      </ul>
    </>
  );
}

function Line({ run }: { readonly run: RunLine }): VNode {
  return (
    <li class={`run-line ${run.kind ?? ''}`}>
      <a href={`#/run/${run.id}`}>{run.id}</a> {run.target}
    </li>
  );
}
