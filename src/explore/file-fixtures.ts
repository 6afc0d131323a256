/**
 * Makes the first rows for the programs of a workload file on the server. They are the file's rows. For a random draw,
 * some of the file's transactions run first, one after the other, so that each program has something to do. The rows are
 * read once and are then a fixture's first rows like any others.
 */
import type { Dialect, Program, ProgramTxn, Table, Fixture, FixtureState } from '../../core/index.ts';
import { rowNamesOf } from '../../schema-gen/index.ts';
import type { AimedDraw, AimedPlan, FilePrograms, WorkloadTemplates } from '../../schema-gen/index.ts';
import type { Arena } from './arena.ts';
import { oneByOne, play } from './play.ts';
import { valueOf } from './fixture-sql.ts';

interface FileRows {
  readonly dialect: Dialect;
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly draws: readonly number[];
}

/** The file's tables, with the rows that the file gives. */
export function plainFixture({ templates: { schema }, programs }: FileRows): Fixture {
  return { ...schema, name: 'initial rows', rowNames: rowNamesOf(schema), invariants: programs.invariants, byIndex: false };
}

export interface FileFixtures {
  /** The file's rows in the server's words. */
  readonly initial: Fixture;
  readonly byDraw: ReadonlyMap<number, Fixture>;
}

/** `arena`: the plain fixture was just made in it. */
export async function fixturesOf({ dialect, programs, draws }: FileRows, plain: Fixture, arena: Arena): Promise<FileFixtures> {
  await arena.load(programOf(plain, []));
  // The rows are read before they are filled again: the file does not have the numbers that the server gives.
  const initial = await arena.state();
  const byDraw = new Map<number, Fixture>();
  // All draws up to the last are made, so that the server gives the same numbers whichever draw is wanted.
  for (let draw = 0; draw <= Math.max(-1, ...draws); draw++) {
    const before = programs.before(draw);
    let state = initial;
    for (const transaction of before) state = await after(arena, programOf(plain, [transaction]), state);
    if (!draws.includes(draw)) continue;
    byDraw.set(draw, {
      ...withFirst(plain, state),
      // Half of the draws use indexes, because otherwise a planner scans a small table.
      byIndex: draw % 4 > 1 && dialect.indexPlans !== undefined ? 'index' : false,
      name: before.length === 0 ? 'initial rows' : `draw ${draw}, after ${before.map(({ name }) => name).join(', ')}`,
    });
  }
  return { initial: withFirst(plain, initial), byDraw };
}

/** Returns the fixture of each aimed draw. Draws with the same first rows share one. */
export function aimedFixtures(
  { dialect }: FileRows,
  initial: Fixture,
  plans: ReadonlyMap<string, AimedPlan>,
): (draw: AimedDraw) => Fixture {
  const known = new Map<string, Fixture>();
  const fixtures = new Map<AimedDraw, Fixture>();
  for (const draw of [...plans.values()].flatMap(({ draws }) => draws)) {
    // Every other aimed draw uses indexes, as for random draws.
    const byIndex = draw.place % 2 === 1 && dialect.indexPlans !== undefined ? 'index' : false;
    const key = JSON.stringify([byIndex, draw.rows ?? null]);
    const fixture = known.get(key) ?? { ...aimedFixture(initial, draw), byIndex };
    known.set(key, fixture);
    fixtures.set(draw, fixture);
  }
  return (draw) => fixtures.get(draw)!;
}

export function aimedFixture(initial: Fixture, { rows }: Pick<AimedDraw, 'rows'>): Fixture {
  if (rows === undefined) return initial;
  return { ...withFirst(initial, { ...initial.first, ...rows }), name: `initial rows, and rows made in ${Object.keys(rows).join(', ')}` };
}

function withFirst(fixture: Fixture, state: FixtureState): Fixture {
  return { ...fixture, tables: fixture.tables.map((table) => withRows(table, state)), first: state };
}

function programOf(fixture: Fixture, transactions: readonly ProgramTxn[]): Program {
  return { number: 0, made: {}, fixture, transactions };
}

async function after(arena: Arena, program: Program, from: FixtureState): Promise<FixtureState> {
  await arena.load(program);
  return (await play(arena, program, from, oneByOne([0])))!.outcome.state;
}

/** The numbers of its rows are stated, so that a script makes the same rows again. */
function withRows(table: Table, state: FixtureState): Table {
  const rows = state[table.name] ?? [];
  const columns = table.columns.map((column, c) =>
    column.identity ? { ...column, nextNumber: 1 + Math.max(0, ...rows.map((row) => Number(row[c]))) } : column,
  );
  return { ...table, columns, rows: rows.map((row) => row.map((value, c) => valueOf(columns[c]!.type.kind, value))) };
}
