/**
 * Shows the sessions side by side, with a row for each step in the order of sending. Below each session it offers the
 * next steps.
 */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Level } from '../../../../core/level/index.ts';
import { ask } from './ask.ts';
import type { ConsoleSeen, ConsoleSent, ConsoleSession, ConsoleState, ConsoleStep, Untold } from './console-messages.ts';
import { Notice } from './notice.tsx';
import { RowsTable } from './rows-table.tsx';

export function ConsoleColumns({ state: { sessions, steps, levels, state } }: { readonly state: ConsoleState }): VNode {
  return (
    <section class={`console-lanes of${sessions.length}`} aria-label="Sessions">
      {sessions.map((session, s) => (
        <h2 key={session.name} class={`c${s + 1}`}>
          {session.name} <span class="quiet">{session.txn === undefined ? 'no transaction' : `in T${session.txn}`}</span>
        </h2>
      ))}
      {steps.map((step, i) => (
        <Step key={step.n} step={step} place={i + 1} names={sessions.map(({ name }) => name)} />
      ))}
      {sessions.map((session, s) => (
        <Next key={session.name} session={session} s={s} row={steps.length + 2} levels={levels} dead={state === 'lost'} />
      ))}
    </section>
  );
}

interface StepProps {
  readonly step: ConsoleStep;
  /** Numbers the step among those that were typed, counted from 1. The number decides the row. */
  readonly place: number;
  readonly names: readonly string[];
}

function Step({ step, place, names }: StepProps): VNode {
  const { session, txn, sql, state, waitsFor = [], columns, rows, words } = step;
  const whom = waitsFor.length === 0 ? 'a lock' : waitsFor.map((s) => names[s]).join(', ');
  return (
    <article class={`console-step c${session + 1} ${state}`} style={{ gridRow: place + 1 }} aria-label={`${names[session]}, T${txn}`}>
      <span class="quiet">
        {place}. {names[session]}, T{txn}
      </span>
      <pre>{sql}</pre>
      {state === 'waits' && (
        <p class="badge running" role="status">
          waits for {whom}
        </p>
      )}
      {step.waitsFor && state !== 'waits' && <p class="quiet">waited for {whom}</p>}
      {columns.length > 0 && <RowsTable columns={columns} rows={rows} />}
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </article>
  );
}

interface NextProps {
  readonly session: ConsoleSession;
  readonly s: number;
  /** The row of the grid lies below all steps. */
  readonly row: number;
  readonly levels: readonly Level[];
  readonly dead: boolean;
}

function Next({ session, s, row, levels, dead }: NextProps): VNode {
  const { name, txn, waits, lost } = session;
  const [text, setText] = useState('');
  const { failed, seen, told, see } = useAsked(s);
  const off = dead || waits || lost !== undefined;
  const send = (sql: string): void => told(ask<ConsoleSent>('api/console/send', { session: s, sql }), () => setText(''));
  return (
    <form
      class={`console-next c${s + 1}`}
      style={{ gridRow: row }}
      aria-label={`${name} steps`}
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <Notice words={failed ?? lost} />
      <textarea
        rows={2}
        spellcheck={false}
        aria-label={`Statement of ${name}`}
        placeholder={waits ? `${name} waits for its reply` : `${name}: a statement; Ctrl-Enter sends it`}
        disabled={off}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send(text);
        }}
      />
      <div class="controls">
        <button type="submit" class="main" disabled={off}>
          Send
        </button>
        <button type="button" disabled={off || txn === undefined} onClick={() => send('COMMIT')}>
          Commit
        </button>
        <button type="button" disabled={off || txn === undefined} onClick={() => send('ROLLBACK')}>
          Roll back
        </button>
        <button type="button" disabled={off} onClick={see}>
          What it sees
        </button>
        <LevelChoice
          session={session}
          levels={levels}
          disabled={off || txn !== undefined}
          choose={(level) => told(ask<ConsoleSent>('api/console/level', { session: s, level }))}
        />
      </div>
      {seen?.tables.map(({ table, columns, rows }) => (
        <RowsTable key={table} caption={`${table}, as ${name} sees it`} columns={columns} rows={rows} />
      ))}
    </form>
  );
}

interface Asked {
  readonly failed: string | undefined;
  readonly seen: ConsoleSeen | undefined;
  /** Shows the reason for a refusal. `then` runs if the step was accepted. */
  readonly told: (work: Promise<ConsoleSent>, then?: () => void) => void;
  readonly see: () => void;
}

/** Holds the result of the last request to a session. */
function useAsked(s: number): Asked {
  const [failed, setFailed] = useState<string>();
  const [seen, setSeen] = useState<ConsoleSeen>();
  const wrong = (error: Error): void => setFailed(error.message);
  return {
    failed,
    seen,
    told: (work, then = () => {}) => {
      setFailed(undefined);
      setSeen(undefined);
      work.then(({ refused }) => (refused === undefined ? then() : setFailed(refused)), wrong);
    },
    see: () => {
      setFailed(undefined);
      ask<ConsoleSeen | Untold>(`api/console/see/${s}`).then(
        (answer) => ('untold' in answer ? setFailed(answer.untold) : setSeen(answer)),
        wrong,
      );
    },
  };
}

interface LevelProps {
  readonly session: ConsoleSession;
  readonly levels: readonly Level[];
  readonly disabled: boolean;
  readonly choose: (level: Level) => void;
}

function LevelChoice({ session: { name, level }, levels, disabled, choose }: LevelProps): VNode {
  return (
    <label>
      <span class="sr">Level of {name}</span>
      <select value={level} disabled={disabled} onChange={({ currentTarget: { value } }) => choose(value as Level)}>
        {levels.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
