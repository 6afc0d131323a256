/** Opens a bench: where, on which tables, how many sessions, at which level. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Level } from '../../../core/index.ts';
import type { BenchChoices, BenchOpen } from './bench-messages.ts';

interface Props {
  readonly choices: BenchChoices;
  readonly open: (asked: BenchOpen) => void;
}

const OWN = 'your own SQL';
const USUAL: Level = 'repeatable-read';

export function BenchForm({ choices: { targets, worlds, sessions }, open }: Props): VNode {
  const [target, setTarget] = useState(targets[0]!);
  const [world, setWorld] = useState(worlds[0]!.name);
  const [sql, setSql] = useState(worlds[0]!.sql);
  const [level, setLevel] = useState<Level>(USUAL);
  const [count, setCount] = useState(sessions.least);
  const counts = Array.from({ length: sessions.most - sessions.least + 1 }, (_, i) => sessions.least + i);
  return (
    <section class="panel start" aria-label="Open a bench">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open({ target: target.name, world, sql, level, sessions: count });
        }}
      >
        <label>
          Server
          <select value={target.name} onChange={({ currentTarget: { value } }) => setTarget(targets.find(({ name }) => name === value)!)}>
            {targets.map(({ name, byUrl }) => (
              <option key={name} value={name}>
                {byUrl ? name : `${name} (started for it)`}
              </option>
            ))}
          </select>
        </label>
        <label>
          Sessions
          <select value={count} onChange={({ currentTarget: { value } }) => setCount(Number(value))}>
            {counts.map((n) => (
              <option key={n} value={n}>
                {n}
              </option>
            ))}
          </select>
        </label>
        <label>
          Level
          <select value={level} onChange={({ currentTarget: { value } }) => setLevel(value as Level)}>
            {target.levels.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          World
          <select
            value={world}
            onChange={({ currentTarget: { value } }) => {
              setWorld(value);
              setSql(worlds.find(({ name }) => name === value)?.sql ?? sql);
            }}
          >
            {worlds.map(({ name, title }) => (
              <option key={name} value={name}>
                {name}: {title}
              </option>
            ))}
            <option value={OWN}>{OWN}</option>
          </select>
        </label>
        <label class="wide">
          Its tables and rows, made in a schema of our own
          <textarea
            rows={5}
            spellcheck={false}
            value={sql}
            onInput={({ currentTarget: { value } }) => {
              setSql(value);
              setWorld(OWN);
            }}
          />
        </label>
        <button type="submit" class="main">
          Open a bench
        </button>
      </form>
    </section>
  );
}
