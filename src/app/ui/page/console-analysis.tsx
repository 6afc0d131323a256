/**
 * Shows the analysis of the steps: the growing dependency graph, its anomalies and the serial orders. It also offers
 * the files that hold them.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, CycleGraph, lights } from '../../../../reports/in-page.ts';
import { ask } from './ask.ts';
import type { ConsoleGraph, ConsoleOrders, ConsoleState, Untold } from './console-messages.ts';
import { Notice } from './notice.tsx';

const FILES = [
  { form: 'spec', title: '.spec for isolationtester' },
  { form: 'sql', title: '.sql for terminals' },
  { form: 'workload', title: 'workload file' },
];

export function ConsoleAnalysis({ state: { steps, commits } }: { readonly state: ConsoleState }): VNode {
  return (
    <section class="panel console-analysis" aria-label="What that makes">
      <h2>Who depends on whom</h2>
      <GrowingGraph commits={commits} />
      <h2>One after the other</h2>
      <Orders key={commits} commits={commits} />
      {steps.length > 0 && (
        <p class="saves">
          Save as{' '}
          {FILES.map(({ form, title }) => (
            <a key={form} class="button" href={`./api/console/save/${form}`} download>
              {title}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

function GrowingGraph({ commits }: { readonly commits: number }): VNode {
  const [graph, setGraph] = useState<ConsoleGraph>();
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    let current = true;
    setFailed(undefined);
    if (commits === 0) return;
    ask<ConsoleGraph | Untold>('api/console/graph').then(
      (answer) => {
        if (!current) return;
        if ('untold' in answer) setFailed(answer.untold);
        else setGraph(answer);
      },
      (error: Error) => setFailed(error.message),
    );
    return () => {
      current = false;
    };
  }, [commits]);
  if (failed !== undefined) return <Notice words={failed} />;
  if (graph !== undefined && graph.edges.length > 0) return <Graph graph={graph} />;
  return (
    <p class="quiet">{commits < 2 ? 'Two transactions have to commit first.' : 'Those that committed depend on nothing of each other.'}</p>
  );
}

function Orders({ commits }: { readonly commits: number }): VNode {
  const [told, setTold] = useState<ConsoleOrders>();
  const [failed, setFailed] = useState<string>();
  const tell = (): void => {
    setFailed(undefined);
    ask<ConsoleOrders | Untold>('api/console/serial').then(
      (answer) => ('untold' in answer ? setFailed(answer.untold) : setTold(answer)),
      (error: Error) => setFailed(error.message),
    );
  };
  if (told === undefined)
    return (
      <>
        <Notice words={failed} />
        <button type="button" disabled={commits === 0} onClick={tell}>
          What would each serial order have answered?
        </button>
      </>
    );
  return (
    <>
      <ol class="console-orders">
        {told.orders.map(({ order, words }) => (
          <li key={order}>
            <strong>{order}</strong>: {words}
          </li>
        ))}
      </ol>
      <p>{told.sums}</p>
    </>
  );
}

function Graph({ graph: { drawn, edges, anomalies } }: { readonly graph: ConsoleGraph }): VNode {
  return (
    <>
      {anomalies.map(({ name, verdict, violates, promise }) => (
        <p key={name}>
          <Badge look={verdict}>{verdict}</Badge> <strong>{name}</strong> <span class="quiet">violates {violates.join(', ')}.</span>{' '}
          {promise}
        </p>
      ))}
      {anomalies.length === 0 && <p class="quiet">No anomaly among those that committed.</p>}
      <div class="console-graph">
        <div>
          <CycleGraph finding={drawn} lit={lights(drawn)} />
        </div>
        <ol>
          {edges.map(({ name, sentence }) => (
            <li key={`${name} ${sentence}`}>
              <strong>{name}</strong> {sentence}
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
