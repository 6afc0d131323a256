/** Asks the server which pairs of a site matter: those whose change alters what the look shows. */
import { firstState } from '../../../core/program/index.ts';
import type { FixtureState, Program } from '../../../core/program/index.ts';
import type { PairSite } from '../../../schema-gen/index.ts';
import { stateKey } from '../outcome.ts';
import { oneByOne, play } from '../play.ts';
import type { ProgramRunner } from '../program-runner.ts';
import { effectsOn } from './effects.ts';

export interface Mattering {
  /** For each look of the site, the positions of the changes that matter to it. */
  readonly changes: readonly (readonly number[])[];
  /** For each change, what it does to the tables. Changes of one kind have the same text. */
  readonly kinds: readonly string[];
}

export async function matteringAt(runner: ProgramRunner, site: PairSite): Promise<Mattering> {
  const { fixture } = site.row;
  const from = firstState(fixture);
  const before = await effectsOn(runner, site, from);
  const known = new Map([[stateKey(from), before]]);
  const changes = site.looks.map((): number[] => []);
  const kinds: string[] = [];
  for (const [c, { steps }] of site.changes.entries()) {
    const program: Program = { number: 0, made: {}, fixture, transactions: [{ steps, end: 'commit' }] };
    await runner.load(program);
    const { outcome } = (await play(runner, program, from, oneByOne([0])))!;
    const key = stateKey(outcome.state);
    let after = known.get(key);
    if (after === undefined) known.set(key, (after = await effectsOn(runner, site, outcome.state)));
    for (const [l, own] of changes.entries()) if (after[l] !== before[l]) own.push(c);
    kinds.push(kindOf(from, outcome.state));
  }
  return { changes, kinds };
}

/** Returns, for each table, how many rows came and went and in which columns rows changed. The first column names a row. */
function kindOf(before: FixtureState, after: FixtureState): string {
  const kinds = Object.keys(before)
    .toSorted()
    .flatMap((table) => {
      const was = new Map(before[table]!.map((row) => [row[0], row]));
      const is = new Map((after[table] ?? []).map((row) => [row[0], row]));
      const came = [...is.keys()].filter((key) => !was.has(key)).length;
      const went = [...was.keys()].filter((key) => !is.has(key)).length;
      const changed = [...is].flatMap(([key, row]) => {
        const columns = was.get(key)?.flatMap((value, c) => (value === row[c] ? [] : [c])) ?? [];
        return columns.length === 0 ? [] : [columns.join(' ')];
      });
      return came + went + changed.length === 0 ? [] : [[table, came, went, changed.toSorted()]];
    });
  return JSON.stringify(kinds);
}
