/** Opens a console on the chosen target and tables, with a number of sessions and a level. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Level } from '../../../../core/level/index.ts';
import type { ConsoleChoices, ConsoleOpen } from './console-messages.ts';

interface Props {
  readonly choices: ConsoleChoices;
  readonly open: (asked: ConsoleOpen) => void;
}

const OWN = 'your own SQL';
const USUAL: Level = 'repeatable-read';

export function ConsoleForm({ choices: { targets, fixtures, sessions }, open }: Props): VNode {
  const [target, setTarget] = useState(targets[0]!);
  const [fixture, setFixture] = useState(fixtures[0]!.name);
  const [sql, setSql] = useState(fixtures[0]!.sql);
  const [level, setLevel] = useState<Level>(USUAL);
  const [count, setCount] = useState(String(sessions.least));
  const counts = Array.from({ length: sessions.most - sessions.least + 1 }, (_, i) => String(sessions.least + i));
  const chooseFixture = (name: string): void => {
    setFixture(name);
    setSql(fixtures.find((each) => each.name === name)?.sql ?? sql);
  };
  return (
    <section class="panel start" aria-label="Open a console">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open({ target: target.name, fixture, sql, level, sessions: Number(count) });
        }}
      >
        <Choice
          label="Server"
          value={target.name}
          options={targets.map(({ name, byUrl }) => [name, byUrl ? name : `${name} (started for it)`])}
          choose={(value) => setTarget(targets.find(({ name }) => name === value)!)}
        />
        <Choice label="Sessions" value={count} options={counts.map((n) => [n, n])} choose={setCount} />
        <Choice
          label="Level"
          value={level}
          options={target.levels.map((each) => [each, each])}
          choose={(value) => setLevel(value as Level)}
        />
        <Choice
          label="Fixture"
          value={fixture}
          options={[...fixtures.map(({ name, title }) => [name, `${name}: ${title}`] as const), [OWN, OWN]]}
          choose={chooseFixture}
        />
        <label class="wide">
          Its tables and rows, made in a schema of our own
          <textarea
            rows={5}
            spellcheck={false}
            value={sql}
            onInput={({ currentTarget: { value } }) => {
              setSql(value);
              setFixture(OWN);
            }}
          />
        </label>
        <button type="submit" class="main">
          Open a console
        </button>
      </form>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Holds each value with the text that shows it. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps): VNode {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
