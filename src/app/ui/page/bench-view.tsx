/** The bench: sessions on a server, stepped by hand, and what that makes. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { BenchForm } from './bench-form.tsx';
import { BenchLanes } from './bench-lanes.tsx';
import type { BenchChoices, BenchOpen, BenchState } from './bench-messages.ts';
import { BenchTold } from './bench-told.tsx';
import { Lost, Notice } from './notice.tsx';
import { useEvents } from './use-events.ts';

export function BenchView(): VNode {
  const [choices, setChoices] = useState<BenchChoices>();
  const [state, setState] = useState<BenchState>();
  const [failed, setFailed] = useState<string>();
  const { lost } = useEvents('api/bench/events', { bench: (told: BenchState) => setState(told) });
  useEffect(() => {
    ask<BenchChoices>('api/bench').then(setChoices, (error: Error) => setFailed(error.message));
  }, []);
  const move = (path: string, body: object): void => {
    setFailed(undefined);
    ask(path, body).catch((error: Error) => setFailed(error.message));
  };
  const open = (asked: BenchOpen): void => move('api/bench/open', asked);
  return (
    <>
      <Lost lost={lost} />
      <Notice words={failed ?? state?.words} />
      {state?.state === 'opening' && (
        <p class="state" role="status">
          The server is asked, or started; its tables are made.
        </p>
      )}
      {state?.state === 'closed' && choices && <BenchForm choices={choices} open={open} />}
      {(state?.state === 'open' || state?.state === 'lost') && (
        <>
          <Head state={state} close={() => move('api/bench/close', {})} />
          <BenchLanes key={state.id} state={state} />
          {state.state === 'open' && <BenchTold key={`told ${state.id}`} state={state} />}
        </>
      )}
    </>
  );
}

function Head({ state, close }: { readonly state: BenchState; readonly close: () => void }): VNode {
  return (
    <section class="panel bench-head" aria-label="The bench">
      <p>
        <span class="name">{state.target}</span> <span class="quiet">{state.server}</span>
      </p>
      <p>
        {state.tables.map((table) => (
          <code key={table}>{table}</code>
        ))}
      </p>
      <button type="button" onClick={close}>
        {state.state === 'lost' ? 'Put it away' : 'End the bench'}
      </button>
    </section>
  );
}
