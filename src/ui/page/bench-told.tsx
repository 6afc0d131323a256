/** What the steps make: the dependency graph as it grows, its anomalies, the serial orders, and the files that hold it. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import type { BenchGraph, BenchOrders, BenchState, Untold } from './bench-messages.ts';
import { Notice } from './notice.tsx';

const FILES = [
  { form: 'spec', title: '.spec for isolationtester' },
  { form: 'sql', title: '.sql for terminals' },
  { form: 'workload', title: 'workload file' },
];

export function BenchTold({ state: { steps, commits } }: { readonly state: BenchState }): VNode {
  const [graph, setGraph] = useState<BenchGraph>();
  const [orders, setOrders] = useState<BenchOrders>();
  const [failed, setFailed] = useState<string>();
  const untold = (error: Error): void => setFailed(error.message);
  useEffect(() => {
    let current = true;
    setOrders(undefined);
    setFailed(undefined);
    if (commits === 0) return;
    ask<BenchGraph | Untold>('api/bench/graph').then((answer) => {
      if (!current) return;
      if ('untold' in answer) setFailed(answer.untold);
      else setGraph(answer);
    }, untold);
    return () => {
      current = false;
    };
  }, [commits]);
  const ordered = (): void => {
    setFailed(undefined);
    ask<BenchOrders | Untold>('api/bench/serial').then(
      (answer) => ('untold' in answer ? setFailed(answer.untold) : setOrders(answer)),
      untold,
    );
  };
  return (
    <section class="panel bench-told" aria-label="What that makes">
      <Notice words={failed} />
      <h2>Who depends on whom</h2>
      {graph === undefined || graph.edges.length === 0 ? (
        <p class="quiet">
          {commits < 2 ? 'Two transactions have to commit first.' : 'Those that committed depend on nothing of each other.'}
        </p>
      ) : (
        <Graph graph={graph} />
      )}
      <h2>One after the other</h2>
      {orders === undefined ? (
        <button type="button" disabled={commits === 0} onClick={ordered}>
          What would each serial order have answered?
        </button>
      ) : (
        <>
          <ol class="bench-orders">
            {orders.orders.map(({ order, words, explains }) => (
              <li key={order}>
                <strong>{order}</strong>: <span class={explains ? '' : 'differs'}>{words}</span>
              </li>
            ))}
          </ol>
          <p>{orders.sums}</p>
        </>
      )}
      {steps.length > 0 && (
        <p class="saves">
          Save as{' '}
          {FILES.map(({ form, title }) => (
            <a key={form} class="button" href={`./api/bench/save/${form}`} download>
              {title}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

function Graph({ graph: { drawing, edges, anomalies } }: { readonly graph: BenchGraph }): VNode {
  return (
    <>
      {anomalies.map(({ name, verdict, violates, promise }) => (
        <p key={name}>
          <span class={`badge ${verdict}`}>{verdict}</span> <strong>{name}</strong>{' '}
          <span class="quiet">violates {violates.join(', ')}.</span> {promise}
        </p>
      ))}
      {anomalies.length === 0 && <p class="quiet">No anomaly among those that committed.</p>}
      <div class="bench-graph">
        <div dangerouslySetInnerHTML={{ __html: drawing }} />
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
