/** Shows the console: the sessions on a server that are stepped by hand, and the analysis of their steps. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { ConsoleForm } from './console-form.tsx';
import { ConsoleColumns } from './console-columns.tsx';
import type { ConsoleChoices, ConsoleOpen, ConsoleState } from './console-messages.ts';
import { ConsoleAnalysis } from './console-analysis.tsx';
import { Lost, Notice } from './notice.tsx';
import { useEvents } from './use-events.ts';

export function ConsoleView(): VNode {
  const [choices, setChoices] = useState<ConsoleChoices>();
  const [state, setState] = useState<ConsoleState>();
  const [failed, setFailed] = useState<string>();
  const { lost } = useEvents('api/console/events', { console: (told: ConsoleState) => setState(told) });
  useEffect(() => {
    ask<ConsoleChoices>('api/console').then(setChoices, (error: Error) => setFailed(error.message));
  }, []);
  const move = (path: string, body: object): void => {
    setFailed(undefined);
    ask(path, body).catch((error: Error) => setFailed(error.message));
  };
  const open = (asked: ConsoleOpen): void => move('api/console/open', asked);
  return (
    <>
      <Lost lost={lost} />
      <Notice words={failed ?? state?.words} />
      {state?.state === 'opening' && (
        <p class="state" role="status">
          The server is asked, or started; its tables are made.
        </p>
      )}
      {state?.state === 'closed' && choices && <ConsoleForm choices={choices} open={open} />}
      {(state?.state === 'open' || state?.state === 'lost') && (
        <>
          <Head state={state} close={() => move('api/console/close', {})} />
          <ConsoleColumns key={state.id} state={state} />
          {state.state === 'open' && <ConsoleAnalysis key={`told ${state.id}`} state={state} />}
        </>
      )}
    </>
  );
}

function Head({ state, close }: { readonly state: ConsoleState; readonly close: () => void }): VNode {
  return (
    <section class="panel console-head" aria-label="The console">
      <p>
        <span class="name">{state.target}</span> <span class="quiet">{state.server}</span>
      </p>
      <p>
        {state.tables.map((table) => (
          <code key={table}>{table}</code>
        ))}
      </p>
      <button type="button" onClick={close}>
        {state.state === 'lost' ? 'Put it away' : 'End the console'}
      </button>
    </section>
  );
}
