/**
 * A workload file as a source of programs. The first rows of a draw are made on the server (file-fixtures.ts). Programs
 * of aimed draws (aim.ts) come first, then those of random draws. Programs that cannot be compared are not run at all: a
 * LIMIT that leaves open which rows it takes, and other results that prove nothing (reproduce/not-comparable.ts). Numbers
 * that the server gives are not compared if nothing else depends on them.
 *
 *     fileSource({ ...at, templates, programs, together, draws: [0, 1], aim: { find: random } })
 *     fileSource({ ...at, templates: changed, programs: ofChanged, together, draws: [], aim: { given: source.aimed } })
 *
 * The first call searches for the aimed draws of each `together`; `source.aimed` has them by the name of the
 * transactions. The second call runs the same values and first rows under changed templates. Another stream in `find`
 * finds other values for the same ways to meet.
 */
import type { Random } from '../../core/base/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { Program, Fixture } from '../../core/program/index.ts';
import type { NotCompared } from '../../core/verdict/index.ts';
import type { AimedPlan, FilePrograms, Together, WorkloadTemplates } from '../../schema-gen/index.ts';
import { aimedPlans } from './aim.ts';
import type { ProgramRunner } from './program-runner.ts';
import { takesNewNumbers, whyNotCompared, withNewNumbers } from './comparable.ts';
import { aimedFixtures, plainFixture, fixturesOf } from './file-fixtures.ts';
import { withRunner } from './with-runner.ts';
import { MadeRowsRunner } from './made-rows-runner.ts';
import type { Candidates, Source } from './source.ts';

export interface FileSourceOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** The namespace is made, and dropped afterwards. */
  readonly namespace: string;
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
  /** Numbers of the random draws. */
  readonly draws: readonly number[];
  /** Absent: no draw is aimed. */
  readonly aim?: Aim;
  /** Ends the search for aimed draws. */
  readonly signal?: AbortSignal;
}

export type Aim =
  /** Searches for draws; the same stream finds the same ones. `only`: only the draw of this place is run. */
  | { readonly find: Random; readonly only?: number }
  /** Aimed draws by the name of the transactions. */
  | { readonly given: ReadonlyMap<string, AimedPlan> };

export interface FileSource extends Source {
  /** Aimed draws by the name of the transactions. */
  readonly aimed: ReadonlyMap<string, AimedPlan>;
}

interface Judged {
  readonly each: Together;
  readonly programs: readonly Program[];
  readonly why: NotCompared | undefined;
}

export async function fileSource(options: FileSourceOptions): Promise<FileSource> {
  const { programs, together, draws } = options;
  const plain = plainFixture(options);
  const { fixtures, aimed, ofAimed } = await withRunner({ ...options, fixtures: [plain] }, async (runner) => {
    const { initial, byDraw } = await fixturesOf(options, plain, runner);
    const found = await aimedOf(options, initial, runner);
    return { fixtures: byDraw, aimed: found, ofAimed: aimedFixtures(options, initial, found) };
  });
  const judged = together.map((each): Judged => {
    const { draws: aimedDraws = [] } = aimed.get(each.name) ?? {};
    const own = aimedDraws.map((draw) => programs.aimed(each, draw, ofAimed(draw)));
    const made = [...own, ...draws.map((draw) => programs.program(each, draw, fixtures.get(draw)!))];
    return { each, programs: made, why: made.map((program) => whyNotCompared(program)).find((why) => why !== undefined) };
  });
  const numbered = new Map<Fixture, Fixture>();
  const shown = judged.map(({ programs: made }) =>
    made.map((program) => (takesNewNumbers(program) ? { ...program, fixture: once(numbered, program.fixture) } : program)),
  );
  const longest = Math.max(0, ...judged.map((each) => each.programs.length));
  const queue = Array.from({ length: longest }, (_, n) =>
    judged.flatMap(({ why }, j) => (why === undefined && shown[j]![n] !== undefined ? [shown[j]![n]] : [])),
  ).flat();
  return {
    allFixtures: [...new Set([...fixtures.values(), ...judged.flatMap((each) => each.programs.map(({ fixture }) => fixture))])],
    next: () => queue.shift(),
    coverage: () => ({ pairs: 0, covered: 0 }),
    nameOf: ({ made }) => ({ family: made['transactions'] ?? '', form: made['world'] ?? '' }),
    together: judged.map((each) => candidatesOf(each, aimed.get(each.each.name))),
    aimed,
  };
}

function once(numbered: Map<Fixture, Fixture>, fixture: Fixture): Fixture {
  const known = numbered.get(fixture) ?? withNewNumbers(fixture);
  numbered.set(fixture, known);
  return known;
}

function candidatesOf({ each, programs, why }: Judged, plan: AimedPlan | undefined): Candidates {
  return {
    name: each.name,
    programs: why === undefined ? programs.length : 0,
    ...(why !== undefined && { notJudged: why }),
    ...(plan && why === undefined && { aimed: plan }),
  };
}

async function aimedOf(options: FileSourceOptions, initial: Fixture, plain: ProgramRunner): Promise<FileSource['aimed']> {
  const { aim, together } = options;
  if (aim === undefined) return new Map();
  if ('given' in aim) return new Map([...aim.given].filter(([name]) => together.some((each) => each.name === name)));
  const made = new MadeRowsRunner({ ...options, namespace: `${options.namespace}_made`, fixtures: [initial] });
  let found: FileSource['aimed'];
  try {
    found = await aimedPlans({ plain, made }, options, aim.find, initial);
  } finally {
    await made.close();
  }
  if (aim.only === undefined) return found;
  return new Map([...found].map(([name, plan]) => [name, { ...plan, draws: plan.draws.filter(({ place }) => place === aim.only) }]));
}
