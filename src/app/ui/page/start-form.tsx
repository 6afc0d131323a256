/**
 * Starts a run on the chosen target, workload and levels for a duration. If a run goes on, it shows a link to it and a
 * button that stops it.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { Choice } from './choice.tsx';
import type { Choices, Started, TargetChoice } from './messages.ts';
import { Notice } from './notice.tsx';

const DURATIONS = ['10s', '30s', '1m', '5m', '30m', '2h'];
const EXPLORE = ['', '15s', '1m', '5m'];

export function StartForm({ started }: { readonly started: Started | undefined }): VNode {
  const [choices, setChoices] = useState<Choices>();
  const [failed, setFailed] = useState<string>();
  /** After this form has started a run, the page goes to the run as soon as its folder exists. */
  const [follows, setFollows] = useState(false);
  useEffect(() => {
    ask<Choices>('api/choices').then(setChoices, (error: Error) => setFailed(error.message));
  }, []);
  useEffect(() => {
    if (!follows || started?.id === undefined || started.state === 'ended') return;
    location.hash = `#/run/${encodeURIComponent(started.id)}`;
  }, [follows, started]);
  const start = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    const explore = data.get('explore');
    try {
      setFailed(undefined);
      await ask('api/start', {
        target: data.get('target'),
        workload: data.get('workload'),
        duration: data.get('duration'),
        levels: data.getAll('level'),
        ...(explore !== '' && { explore }),
      });
      setFollows(true);
    } catch (error) {
      setFailed((error as Error).message);
    }
  };
  const goesOn = started !== undefined && started.state !== 'ended';
  return (
    <section class="panel start" aria-label="Start a run">
      <Notice words={failed ?? saidAtItsEnd(started)} />
      {goesOn ? <GoesOn started={started} /> : choices && <Form choices={choices} start={start} />}
    </section>
  );
}

/** Returns the error of a run that made no folder, because nothing else shows it. */
function saidAtItsEnd(started: Started | undefined): string | undefined {
  return started?.state === 'ended' && started.id === undefined
    ? `The run could not begin (exit code ${started.exit}). ${started.said ?? ''}`
    : undefined;
}

function GoesOn({ started: { state, target, id } }: { readonly started: Started }): VNode {
  return (
    <div class="goes-on" role="status">
      <span class="badge running">{state.toUpperCase()}</span>
      <span class="name">{target}</span>
      {id === undefined ? (
        <span class="quiet">the server is being started</span>
      ) : (
        <a href={`#/run/${encodeURIComponent(id)}`}>Follow it</a>
      )}
      <button type="button" onClick={() => void ask('api/stop', {})}>
        {state === 'stopping' ? 'Hurry' : 'Stop'}
      </button>
    </div>
  );
}

interface FormProps {
  readonly choices: Choices;
  readonly start: (form: HTMLFormElement) => Promise<void>;
}

function Form({ choices: { targets, workloads }, start }: FormProps): VNode {
  const [target, setTarget] = useState<TargetChoice>(targets[0]!);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start(event.currentTarget);
      }}
    >
      <Choice
        label="Server"
        name="target"
        value={target.name}
        words={targets.map(({ name, byUrl }) => [name, byUrl ? name : `${name} (started for the run)`])}
        chosen={(word) => setTarget(targets.find(({ name }) => name === word)!)}
      />
      <Choice label="Workload" name="workload" words={workloads.map(({ name, title }) => [name, `${name}: ${title}`])} />
      <Choice label="Time" name="duration" value="1m" words={DURATIONS.map((time) => [time, time])} />
      <div class="row">
        <Choice
          label="Then every order of small programs"
          name="explore"
          words={EXPLORE.map((time) => [time, time === '' ? 'no' : time])}
        />
        <fieldset>
          <legend>Levels (none chosen: all)</legend>
          {target.levels.map((level) => (
            <label key={`${target.name} ${level}`} class="check">
              <input type="checkbox" name="level" value={level} /> {level}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="main">
          Start a run
        </button>
      </div>
    </form>
  );
}
