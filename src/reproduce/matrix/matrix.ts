/**
 * The matrix level x phenomenon of a target, by canonical schedules. Each runs once at each level on a schema of its own.
 * It is observed, judged and compared with the promise, as Hermitage (ept/hermitage) does by hand.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseError, UsageError, isInShard } from '../../../core/index.ts';
import type { DialectLevel, Level, Note, Shard } from '../../../core/index.ts';
import { instrument } from '../../../instrument/index.ts';
import type { MatrixCell, MatrixReport, TranscriptLine } from '../../../reports/index.ts';
import { CANONICAL, PHENOMENA } from '../../../schema-gen/index.ts';
import type { CanonicalSchedule } from '../../../schema-gen/index.ts';
import { assessHistory } from '../../judge/assess/graph.ts';
import type { Progress } from '../../process/progress.ts';
import { KeptConnections, runRound } from '../../execute/index.ts';
import type { RoundOutcome } from '../../execute/index.ts';
import { ownSettingsOf } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { ServerLog } from '../server-log.ts';
import { serverFailure } from '../../process/server-failure.ts';
import { VERSION } from '../../process/version.ts';
import { matrixCell, unrunCell } from './cell.ts';
import { ListeningRecorder, Transcript } from './transcript.ts';

export interface MatrixPlan {
  readonly target: Target;
  /** Empty: every level that the dialect knows, including those that the server treats as another. */
  readonly levels: readonly Level[];
  /** Default: all. */
  readonly schedules?: readonly CanonicalSchedule[];
  /** Runs every n-th schedule of these. */
  readonly shard?: Shard;
  readonly command: string;
  readonly historyFile?: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

interface Facts {
  version: string;
  configuration: Readonly<Record<string, string>>;
}

export async function runMatrix(plan: MatrixPlan): Promise<MatrixReport> {
  const levels = chosenLevels(plan);
  const startedAt = new Date();
  const recorder = new ListeningRecorder(plan.historyFile, { tool: `anomalist ${VERSION}`, seed: 'canonical' });
  const kept = new KeptConnections(plan.target.dialect);
  const facts: Facts = { version: '', configuration: {} };
  const inForce = levels.map(() => new Set<string>());
  let all: PlayedCells;
  try {
    all = await playAll(plan, levels, { recorder, kept, facts, inForce });
  } finally {
    await kept.close();
    recorder.end();
  }
  const { cells, notes, endedEarly } = all;
  return {
    tool: `anomalist ${VERSION}`,
    command: plan.command,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    target: plan.target.name,
    server: facts.version,
    configuration: facts.configuration,
    ...ownSettingsOf(plan.target),
    levels: levels.map(({ level, aliasOf }, l) => ({ level, ...(aliasOf && { aliasOf }), inForce: [...inForce[l]!] })),
    ...(plan.shard && { shard: plan.shard }),
    phenomena: byPhenomenon(cells),
    notes,
    ...(endedEarly !== undefined && { endedEarly }),
  };
}

interface PlayedCells {
  readonly cells: ReadonlyMap<CanonicalSchedule, readonly MatrixCell[]>;
  readonly notes: readonly Note[];
  readonly endedEarly: string | undefined;
}

type Around = Pick<Place, 'recorder' | 'kept' | 'facts'> & { readonly inForce: readonly Set<string>[] };

/** Each schedule has a cell at each level. If the server or the user ended the matrix before, the cell was not run. */
async function playAll(plan: MatrixPlan, levels: readonly DialectLevel[], { inForce, ...around }: Around): Promise<PlayedCells> {
  const schedules = (plan.schedules ?? CANONICAL).filter((_, turn) => isInShard(plan.shard, turn));
  const cells = new Map<CanonicalSchedule, MatrixCell[]>(schedules.map((schedule) => [schedule, []]));
  const turns = schedules.flatMap((schedule) => levels.map((level, l) => ({ schedule, level, l })));
  const ours = randomBytes(3).toString('hex'); // Another matrix may use the same database.
  const log = new ServerLog(plan.target.log);
  log.mark();
  const notes: Note[] = [];
  let endedEarly: string | undefined;
  for (const [round, { schedule, level, l }] of turns.entries()) {
    const row = cells.get(schedule)!;
    const unrun = (why: string): MatrixCell =>
      unrunCell({ schedule, level, dialect: plan.target.dialect, configuration: around.facts.configuration }, why);
    if (endedEarly !== undefined) {
      row.push(unrun(endedEarly));
      continue;
    }
    const here = `cell ${round + 1} of ${turns.length}`;
    plan.progress.tick(() => [`${round} of ${turns.length} cells`, level.level, schedule.name]);
    const at: Place = { ...around, round, namespace: `anomalist_matrix_${ours}_${round}`, inForce: inForce[l]! };
    const one = await played(plan, schedule, level, at).catch((error: unknown) => lostAt(plan, round, error));
    if (one instanceof DatabaseError) {
      endedEarly = plan.signal.aborted ? `interrupted in ${here}` : await log.behind(`the server failed in ${here}: ${one.message}`);
      row.push(unrun(endedEarly));
      continue;
    }
    row.push(one.cell);
    notes.push(...one.notes);
    if (one.complete) log.mark();
    if (plan.signal.aborted) endedEarly = `interrupted in ${here}`;
    else if (!one.complete) notes.push({ code: 'schedule-cut', level: level.level, data: of(schedule, one.reason) });
  }
  return { cells, notes, endedEarly };
}

/** Returns the server's failure if some cell was run; any other error is thrown. */
function lostAt({ target }: MatrixPlan, round: number, error: unknown): DatabaseError {
  const failure = round === 0 ? undefined : serverFailure(target.dialect, error);
  if (failure === undefined) throw error;
  return failure;
}

function of({ name }: CanonicalSchedule, reason: string | undefined): Note<'schedule-cut'>['data'] {
  return { schedule: name, ...(reason !== undefined && { reason }) };
}

/** Returns the rows in the catalogue's order, without phenomena of which no schedule was run. */
function byPhenomenon(cells: ReadonlyMap<CanonicalSchedule, readonly MatrixCell[]>): MatrixReport['phenomena'] {
  return PHENOMENA.flatMap(({ phenomenon, title }) => {
    const run = [...cells].filter(([schedule]) => schedule.phenomenon === phenomenon);
    const schedules = run.map(([schedule, row]) => {
      const { name, variant, title, source } = schedule;
      return { name, variant, title, source, start: startOf(schedule), cells: row };
    });
    return schedules.length === 0 ? [] : [{ phenomenon, title, schedules }];
  });
}

interface Place {
  readonly recorder: ListeningRecorder;
  readonly round: number;
  readonly namespace: string;
  readonly kept: KeptConnections;
  readonly facts: Facts;
  readonly inForce: Set<string>;
}

interface PlayedCell {
  readonly cell: MatrixCell;
  readonly complete: boolean;
  readonly reason: string | undefined;
  readonly notes: readonly Note[];
}

async function played(plan: MatrixPlan, schedule: CanonicalSchedule, level: DialectLevel, at: Place): Promise<PlayedCell> {
  const { dialect } = plan.target;
  const { outcome, transcript } = await roundOf(plan, schedule, level, at, 'exact');
  at.facts.version = outcome.server;
  at.facts.configuration = outcome.configuration;
  for (const words of Object.keys(outcome.inForce)) at.inForce.add(words);
  const lines = transcript.lines(schedule.testCase, dialect);
  const cell = matrixCell({
    schedule,
    level,
    dialect,
    configuration: outcome.configuration,
    ...(outcome.complete ? {} : { cutShort: outcome.reason ?? 'no reason was given' }),
    judged: assessHistory(outcome.history),
    outcomes: transcript.outcomes(schedule.testCase),
    transcript: lines,
  });
  const notes = outcome.leftover === undefined ? [] : [outcome.leftover];
  const whole = { complete: outcome.complete, reason: outcome.reason, notes };
  if (cell.verdict !== 'contradicts' || plan.signal.aborted) return { cell, ...whole };
  // No verdict is a bug on instrumented statements alone.
  const bare = await bareLines(plan, schedule, level, at);
  if ('reason' in bare)
    return { cell, ...whole, notes: [...notes, { code: 'schedule-not-bare', level: level.level, data: of(schedule, bare.reason) }] };
  return { cell: { ...cell, bare: behaviour(bare) === behaviour(lines) ? 'alike' : 'different' }, ...whole };
}

/** Returns the reason if the server did not run it. */
async function bareLines(
  plan: MatrixPlan,
  schedule: CanonicalSchedule,
  level: DialectLevel,
  at: Place,
): Promise<readonly TranscriptLine[] | { readonly reason: string | undefined }> {
  const { dialect } = plan.target;
  try {
    const { outcome, transcript } = await roundOf(plan, schedule, level, { ...at, namespace: `${at.namespace}_b` }, 'none');
    return outcome.complete ? transcript.lines(schedule.testCase, dialect) : { reason: outcome.reason };
  } catch (error) {
    const failure = serverFailure(dialect, error);
    if (failure === undefined) throw error;
    return { reason: failure.message };
  }
}

async function roundOf(
  { target, signal }: MatrixPlan,
  schedule: CanonicalSchedule,
  level: DialectLevel,
  at: Place,
  mode: 'exact' | 'none',
): Promise<{ outcome: RoundOutcome; transcript: Transcript }> {
  const { dialect, urls } = target;
  const transcript = new Transcript(at.recorder);
  const probedCase = instrument(schedule.testCase, {
    mode,
    capabilities: dialect.capabilities,
    images: mode === 'exact',
    level: level.level,
  });
  const outcome = await runRound({
    round: at.round,
    probedCase,
    dialect: transcript.watching(urls.length > 1 ? dialect : at.kept.dialect),
    level: level.aliasOf === undefined ? level : { ...level, level: level.aliasOf },
    urls,
    mode: 'schedule',
    namespace: at.namespace,
    recorder: at.recorder,
    signal,
  });
  return { outcome, transcript };
}

/** The part of a run that a user can see: who waited, what failed, what was returned. */
function behaviour(lines: readonly TranscriptLine[]): string {
  return JSON.stringify(
    lines.map(({ session, sql, state, result, error, rolledBack }) => [
      session,
      sql,
      state,
      result?.map((row) => row.join()).toSorted(),
      error?.code,
      rolledBack,
    ]),
  );
}

function chosenLevels({ levels, target: { dialect } }: MatrixPlan): readonly DialectLevel[] {
  if (levels.length === 0) return dialect.levels.filter(({ offByDefault }) => !offByDefault);
  return levels.map((wanted) => {
    const level = dialect.levels.find((each) => each.level === wanted);
    if (!level)
      throw new UsageError(
        `--level ${wanted}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
      );
    return level;
  });
}

function startOf({ testCase }: CanonicalSchedule): readonly string[] {
  return testCase.schema.tables.map(
    ({ name, columns, rows }) =>
      `${name}(${columns.map((column) => column.name).join(', ')}): ${rows.map((row) => `(${row.join(', ')})`).join(' ')}`,
  );
}
