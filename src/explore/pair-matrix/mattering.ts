/**
 * Asks the server which pairs of a site matter: those whose change alters what the look shows. Changes of the same rows
 * and columns, with whatever values, matter alike: one of them is asked about.
 */
import { firstState } from '../../../core/program/index.ts';
import type { FixtureState, Program } from '../../../core/program/index.ts';
import type { PairSite } from '../../../schema-gen/index.ts';
import { oneByOne, play } from '../play.ts';
import type { ProgramRunner } from '../program-runner.ts';
import { effectsOn } from './effects.ts';

export interface Mattering {
  /** For each look of the site, the positions of the changes that matter to it. */
  readonly changes: readonly (readonly number[])[];
  /** For each change, what it does to the tables, whichever rows they are. Changes of one kind have the same text. */
  readonly kinds: readonly string[];
}

/** Undefined: there was enough before every change was asked about. */
export async function matteringAt(runner: ProgramRunner, site: PairSite, enough: () => boolean): Promise<Mattering | undefined> {
  const { fixture } = site.row;
  const from = firstState(fixture);
  const before = await effectsOn(runner, site, from);
  const known = new Map([[JSON.stringify(changedRows(from, from)), before]]);
  const changes = site.looks.map((): number[] => []);
  const kinds: string[] = [];
  for (const [c, { steps }] of site.changes.entries()) {
    if (enough()) return undefined;
    const program: Program = { number: 0, made: {}, fixture, transactions: [{ steps, end: 'commit' }] };
    await runner.load(program);
    const { outcome } = (await play(runner, program, from, oneByOne([0])))!;
    const changed = changedRows(from, outcome.state);
    const key = JSON.stringify(changed);
    let after = known.get(key);
    if (after === undefined) known.set(key, (after = await effectsOn(runner, site, outcome.state)));
    for (const [l, own] of changes.entries()) if (after[l] !== before[l]) own.push(c);
    kinds.push(kindOf(changed));
  }
  return { changes, kinds };
}

interface ChangedRows {
  readonly table: string;
  /** Names of rows: their first columns. */
  readonly came: readonly string[];
  readonly went: readonly string[];
  /** The positions of the columns that changed, by row. */
  readonly columns: readonly (readonly [row: string, columns: string])[];
}

function changedRows(before: FixtureState, after: FixtureState): readonly ChangedRows[] {
  return Object.keys(before)
    .toSorted()
    .flatMap((table) => {
      const was = new Map(before[table]!.map((row) => [String(row[0]), row]));
      const is = new Map((after[table] ?? []).map((row) => [String(row[0]), row]));
      const came = [...is.keys()].filter((key) => !was.has(key));
      const went = [...was.keys()].filter((key) => !is.has(key));
      const columns = [...is].flatMap(([key, row]) => {
        const changed = was.get(key)?.flatMap((value, c) => (value === row[c] ? [] : [c])) ?? [];
        return changed.length === 0 ? [] : [[key, changed.join(' ')] as const];
      });
      return came.length + went.length + columns.length === 0 ? [] : [{ table, came, went, columns }];
    });
}

function kindOf(changed: readonly ChangedRows[]): string {
  return JSON.stringify(
    changed.map(({ table, came, went, columns }) => [table, came.length, went.length, columns.map(([, each]) => each).toSorted()]),
  );
}
