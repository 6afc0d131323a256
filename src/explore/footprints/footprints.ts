/**
 * Footprints: each way to read of the catalogue, alone in one session, in every fixture where it can stand. A look whose
 * answer depends on rows for which the server noted down nothing is a suspect: nothing would keep another transaction
 * from changing them. It is no finding, because no transaction ran beside it.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { Dialect, DialectLevel, Footprints, NotedReads } from '../../../core/dialect/index.ts';
import type { FootprintLevel, FootprintReport, LookFootprint } from '../../../reports/index.ts';
import { looksIn } from '../../../schema-gen/index.ts';
import type { FixtureLooks } from '../../../schema-gen/index.ts';
import type { Progress } from '../../process/progress.ts';
import { VERSION } from '../../process/version.ts';
import { asRelease, ownSettingsOf, shellWord } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { allowedOn } from '../allowed.ts';
import type { ServerRunner } from '../server-runner.ts';
import { withRunner } from '../with-runner.ts';
import { isCovered } from './dependencies.ts';
import { LookTrials, isNotedAt, stepsOf, tablesKey } from './look-trials.ts';
import type { Altering, Look } from './look-trials.ts';

export interface FootprintChoice {
  /** Absent: every level that works by locks or tracked reads. */
  readonly level?: readonly Level[] | undefined;
  readonly only?: readonly string[] | undefined;
}

interface Around {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export async function footprintsOfTarget(opened: Target, choice: FootprintChoice, around: Around): Promise<FootprintReport> {
  const startedAt = new Date();
  const levels = chosenLevels(opened.dialect, choice.level);
  const { target, server } = await askedOf(opened);
  const { dialect } = target;
  const { capabilities, refused } = await allowedOn(dialect, target.urls[0]!, dialect.capabilities);
  const { fixtures, lacking } = looksIn({ capabilities, canForceIndexes: dialect.indexPlans !== undefined, only: choice.only });
  const done: FootprintLevel[] = [];
  const known: KnownDependencies = new Map();
  for (const { level, reads } of levels) {
    if (around.signal.aborted) break;
    done.push(await footprintsAt({ dialect, url: target.urls[0]!, level, reads, fixtures, known, ...around }));
  }
  const names = (looks: readonly { readonly form: string }[]): ReadonlySet<string> => new Set(looks.map(({ form }) => form));
  const all = new Set(fixtures.flatMap(({ looks }) => looks.map(({ name }) => name)));
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(target, choice),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    target: target.name,
    server,
    ...ownSettingsOf(opened),
    lacking: [...lacking, ...refused],
    forms: { all: all.size, ran: names(done.flatMap(({ looks }) => looks)).size },
    levels: done,
    ...(around.signal.aborted && { endedEarly: 'interrupted' }),
  };
}

/** The dependencies of a look by its tables, form and item. They are those of one session, so no level changes them. */
type KnownDependencies = Map<string, readonly Altering[]>;

interface FootprintPlan extends Around {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly reads: NotedReads;
  readonly fixtures: readonly FixtureLooks[];
  readonly known?: KnownDependencies;
}

/** Takes the footprints of all looks at one level, in a namespace of its own that is dropped at the end. */
export async function footprintsAt(plan: FootprintPlan): Promise<FootprintLevel> {
  const namespace = `anomalist_explore_${randomBytes(3).toString('hex')}_f`;
  const fixtures = plan.fixtures.map(({ fixture }) => fixture);
  return withRunner({ ...plan, namespace, fixtures }, (runner) => looksOf(runner, plan));
}

async function looksOf(runner: ServerRunner, plan: FootprintPlan): Promise<FootprintLevel> {
  const { level, reads, fixtures, progress, signal } = plan;
  const looks: LookFootprint[] = [];
  const lost: string[] = [];
  const asked = fixtures.map((of) => ({ ...of, looks: of.looks.filter((look) => isNotedAt(reads, look)) }));
  const all = asked.reduce((sum, of) => sum + of.looks.length, 0);
  for (const of of asked) {
    if (of.looks.length === 0) continue;
    const trials = await LookTrials.in(runner, of);
    for (const look of of.looks) {
      if (signal.aborted) return { level: level.level, reads, looks, lost };
      const found = await footprintOf(trials, look, plan);
      if (found === undefined) lost.push(`${look.name} (${of.fixture.name}, ${itemOf(look)})`);
      else looks.push(found);
      progress.tick(() => [`${looks.length} of ${all} looks`, `${looks.filter(({ suspect }) => suspect).length} suspects`, level.level]);
    }
  }
  return { level: level.level, reads, looks, lost };
}

async function footprintOf(trials: LookTrials, look: Look, plan: FootprintPlan): Promise<LookFootprint | undefined> {
  const { dialect, known } = plan;
  const alone = await trials.alone(look);
  if (alone === undefined) return undefined;
  const { noted, answer } = alone;
  const { fixture } = look.program;
  const key = JSON.stringify([tablesKey(fixture), look.name, itemOf(look)]);
  const altering = known?.get(key) ?? (await trials.dependencies(look, answer));
  known?.set(key, altering);
  const dependsOn = altering.map(({ change, tables }) => ({
    change: `${change.name} (${itemOf(change)})`,
    sql: sqlOf(change, dialect),
    tables,
    noted: isCovered(tables, noted),
  }));
  return {
    form: look.name,
    fixture: fixture.name,
    plan: fixture.byIndex,
    item: itemOf(look),
    sql: sqlOf(look, dialect),
    noted,
    dependsOn,
    suspect: dependsOn.some((each) => !each.noted),
  };
}

const itemOf = ({ program }: Look): string => program.made['item']!;

function sqlOf(look: Look, dialect: Dialect): readonly string[] {
  return stepsOf(look).map(({ statement }) => dialect.print(statement));
}

function chosenLevels(dialect: Dialect, wanted: readonly Level[] | undefined): readonly { level: DialectLevel; reads: NotedReads }[] {
  const { levels } = footprintsIn(dialect);
  const able = dialect.levels.flatMap((level) => {
    const reads = levels[level.level];
    return reads === undefined ? [] : [{ level, reads }];
  });
  return (wanted ?? able.map(({ level }) => level.level)).map((name) => {
    const found = able.find(({ level }) => level.level === name);
    if (found !== undefined) return found;
    const others = able.map(({ level }) => level.level).join(', ');
    throw new UsageError(
      `--footprints --level ${name}: at this level ${dialect.title} does not work by locks or tracked reads; expected one of ${others}.`,
    );
  });
}

function footprintsIn({ footprints, title }: Dialect): Footprints {
  if (footprints !== undefined) return footprints;
  throw new UsageError(
    `--footprints: it is not known how ${title} shows the locks and tracked reads of a transaction; expected PostgreSQL, MySQL or MariaDB.`,
  );
}

/** Asks the server for its release and whether it shows its locks. */
async function askedOf(opened: Target): Promise<{ readonly target: Target; readonly server: string }> {
  const { dialect, urls, log } = opened;
  const connection = await dialect.connect(urls[0]!, {});
  try {
    const { version, make } = await dialect.facts(connection);
    const why = await footprintsIn(dialect).unavailable(connection, log !== undefined);
    if (why !== undefined) throw new DatabaseError(`--footprints: ${why}`);
    return { target: asRelease(opened, make), server: version };
  } finally {
    await connection.end();
  }
}

function commandOf({ words }: Target, { level = [], only = [] }: FootprintChoice): string {
  return [
    'anomalist explore --footprints',
    words,
    ...level.map((each) => `--level ${each}`),
    ...only.map((word) => `--only ${shellWord(word)}`),
  ].join(' ');
}
