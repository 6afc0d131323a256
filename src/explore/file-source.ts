/**
 * A workload file as a source of programs. The rows that a draw begins with are made on the server, by some of the file's
 * transactions one after the other, so that each program has something to do; they are read once and are then a world's
 * first rows like any others. What nobody can compare is not run at all: a LIMIT that leaves open which rows it takes, and
 * what else results prove nothing of (replay/not-comparable.ts). Numbers that the server gives are left out of what is
 * compared where nothing else hangs on them.
 */
import type { Dialect, DialectLevel, Program, ProgramTxn, Table, World, WorldState } from '../../core/index.ts';
import { rowNamesOf } from '../../schema-gen/index.ts';
import type { FilePrograms, Together, WorkloadTemplates } from '../../schema-gen/index.ts';
import { takesNewNumbers, whyNotCompared, withNewNumbers } from './comparable.ts';
import { oneByOne, play } from './play.ts';
import { ServerArena } from './server-arena.ts';
import type { Source } from './source.ts';
import { valueOf } from './world-sql.ts';

export interface FileSourceOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** Made and dropped. */
  readonly namespace: string;
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
  readonly draws: readonly number[];
}

export async function fileSource(options: FileSourceOptions): Promise<Source> {
  const { programs, together, draws, templates } = options;
  const worlds = await worldsOf(options);
  const { schema } = templates;
  const judged = together.map((each) => {
    const made = draws.map((draw) => programs.program(each, draw, worlds.get(draw)!));
    return { each, made, why: made.map((program) => whyNotCompared(program, schema)).find((why) => why !== undefined) };
  });
  const numbered = new Map([...worlds.values()].map((world) => [world, withNewNumbers(world)]));
  const queue = draws.flatMap((_, d) =>
    judged.flatMap(({ made, why }) => {
      const program = made[d]!;
      if (why !== undefined) return [];
      return [takesNewNumbers(program, schema) ? { ...program, world: numbered.get(program.world)! } : program];
    }),
  );
  return {
    allWorlds: [...worlds.values()],
    next: () => queue.shift(),
    coverage: () => ({ pairs: 0, covered: 0 }),
    nameOf: ({ made }) => ({ family: made['transactions'] ?? '', form: made['world'] ?? '' }),
    together: judged.map(({ each, why }) => ({
      name: each.name,
      programs: why === undefined ? draws.length : 0,
      ...(why !== undefined && { notJudged: why }),
    })),
  };
}

/** By draw. */
async function worldsOf(options: FileSourceOptions): Promise<ReadonlyMap<number, World>> {
  const { dialect, programs, draws, templates } = options;
  const { schema } = templates;
  const plain: World = {
    name: 'initial rows',
    tables: schema.tables,
    ...(schema.views && { views: schema.views }),
    ...(schema.routines && { routines: schema.routines }),
    rowNames: rowNamesOf(schema),
    invariants: programs.invariants,
    byIndex: false,
  };
  const arena = await ServerArena.open({ ...options, worlds: [plain] });
  try {
    await arena.load(programOf(plain, []));
    // Not filled by us: of numbers that the server gives the file knows none.
    const initial = await arena.state();
    const worlds = new Map<number, World>();
    // All draws up to the last one, so that numbers which the server gives in them are the same whichever is wanted.
    for (let draw = 0; draw <= Math.max(...draws); draw++) {
      const before = programs.before(draw);
      let state = initial;
      for (const transaction of before) state = await after(arena, programOf(plain, [transaction]), state);
      if (!draws.includes(draw)) continue;
      worlds.set(draw, {
        ...plain,
        // In half of the draws, as a planner takes the whole of a small table where it may.
        byIndex: draw % 4 > 1 && dialect.indexPlans !== undefined ? 'index' : false,
        name: before.length === 0 ? 'initial rows' : `draw ${draw}, after ${before.map(({ name }) => name).join(', ')}`,
        tables: schema.tables.map((table) => withRows(table, state)),
        first: state,
      });
    }
    return worlds;
  } finally {
    await arena.close();
  }
}

function programOf(world: World, transactions: readonly ProgramTxn[]): Program {
  return { number: 0, made: {}, world, transactions };
}

async function after(arena: ServerArena, program: Program, from: WorldState): Promise<WorldState> {
  await arena.load(program);
  return (await play(arena, program, from, oneByOne([0])))!.outcome.state;
}

/** The numbers of its rows are given with them, so that a script makes the same rows again. */
function withRows(table: Table, state: WorldState): Table {
  const rows = state[table.name] ?? [];
  const columns = table.columns.map((column, c) =>
    column.identity ? { ...column, nextNumber: 1 + Math.max(0, ...rows.map((row) => Number(row[c]))) } : column,
  );
  return { ...table, columns, rows: rows.map((row) => row.map((value, c) => valueOf(columns[c]!.type.kind, value))) };
}
