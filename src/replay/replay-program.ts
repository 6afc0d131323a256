/**
 * Replays a finding of a program. Its order of steps runs in a new fixture, and the oracle that found it judges the run. At
 * another level the finding may occur, be prevented, or not be seen, as with a case.
 */
import { randomBytes } from 'node:crypto';
import { judge } from '../../check/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { firstState } from '../../core/program/index.ts';
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { Control, ProgramFinding } from '../../core/verdict/index.ts';
import { aloneIn } from '../explore/alone.ts';
import { confirmViolation } from '../explore/confirm-violation.ts';
import { judgedRun } from '../explore/difference-families.ts';
import type { JudgingPlan } from '../explore/difference-families.ts';
import { differenceOf } from '../explore/difference.ts';
import { withRunner } from '../explore/with-runner.ts';
import { invariantsOf } from '../explore/oracles/invariants.ts';
import type { Invariants } from '../explore/oracles/invariants.ts';
import { judgedViolation } from '../explore/violation-families.ts';
import { unpackedProgram } from '../explore/packed-program.ts';
import type { ReplayedProgram, Sought } from '../explore/packed-program.ts';
import type { Played } from '../explore/play.ts';
import { runsAgain } from '../explore/rendezvous/runs-again.ts';
import { withProbes } from '../explore/probes.ts';
import type { ServerRunner } from '../explore/server-runner.ts';
import { BY_BLOCKING, NOT_SEEN, byError, ended, lost, notJudged, notRun } from '../reproduce/otherwise.ts';
import type { Otherwise } from '../reproduce/otherwise.ts';
import type { Replayer } from '../reproduce/replayer.ts';

/** The runs at one level add up to this. */
interface Shown {
  readonly seen: number;
  /** The number of runs. Absent: as many as were asked for. A race runs until it was seen a few times. */
  readonly tries?: number;
  readonly verdict?: PromiseVerdict;
  /** It says why a run did not show the finding. */
  readonly otherwise?: Otherwise;
}

interface Place {
  readonly replayer: Replayer;
  readonly level: DialectLevel;
  readonly times: number;
  readonly judging: JudgingPlan;
  /** The finding broke these invariants. A run that breaks none of them does not show it. */
  readonly breaks: readonly string[];
}

export async function replayProgram(
  replayer: Replayer,
  finding: ProgramFinding,
  level: DialectLevel,
  { own, times }: { readonly own: boolean; readonly times: number },
): Promise<Control> {
  const { version, configuration } = await replayer.server();
  const { name, dialect } = replayer.target;
  const where = { target: name, server: version, level: level.level, own };
  const replayed = unpackedProgram(finding.family.example.case!);
  const judging: JudgingPlan = {
    dialect,
    level,
    judge: (anomaly) => judge(anomaly, level.level, configuration, dialect.promises, dialect),
  };
  try {
    const { breaks } = finding.family.example;
    const place = { replayer, level, times, judging, breaks };
    const { seen, tries = times, verdict, otherwise = NOT_SEEN } = await ORACLES[replayed.sought.oracle](place, replayed);
    return { ...where, ...ended({ tries, seen }, otherwise), ...(seen > 0 && verdict && { judgement: { verdict } }) };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const gone = dialect.classifyError(error.cause ?? error).class === 'connection';
    return { ...where, ...ended({ tries: 0, seen: 0 }, (gone ? lost : notRun)(error.message.slice(0, 200))) };
  }
}

const ORACLES: Readonly<Record<Sought['oracle'], (place: Place, replayed: ReplayedProgram) => Promise<Shown>>> = {
  'serial orders': (place, { program, choices, raced }) =>
    inFixture(place, program, async (runner) => {
      const from = firstState(program.fixture);
      const alone = aloneIn(runner, program);
      const invariants = place.breaks.length === 0 ? undefined : await invariantsOf(runner, program, alone);
      const runs = runsAgain(runner, program, { choices, ...(raced !== undefined && { raced }) }, place.times);
      let seen = 0;
      let tries = 0;
      let verdict: PromiseVerdict | undefined;
      let otherwise: Otherwise | undefined;
      for (; tries < runs.most && seen < runs.enough; tries++) {
        const played = await runs.next();
        const difference = await differenceOf(played, from, alone, program);
        if (difference === undefined) {
          otherwise = preventedBy(played);
          continue;
        }
        otherwise = invariants && (await keptBy(invariants, place.breaks, played));
        if (otherwise !== undefined) continue;
        seen++;
        verdict ??= judgedRun(place.judging, program, { played, difference }).verdict;
      }
      return { seen, tries, ...(verdict && { verdict }), ...(otherwise && { otherwise }) };
    }),
  run: (place, { program, choices, raced, sought }) =>
    inFixture(place, program, async (runner) => {
      const { violation } = sought as Extract<Sought, { oracle: 'run' }>;
      const order = { choices, ...(raced !== undefined && { raced }) };
      const { times, of, shown } = await confirmViolation(runner, program, order, { ...violation, seen: [] }, place.times);
      return { seen: times, tries: of, ...(shown && { verdict: judgedViolation(place.judging, program, shown).verdict }) };
    }),
  dependencies: async ({ replayer, level, times, judging }, { program, choices, begunAgain, sought }) => {
    const { class: wanted } = sought as Extract<Sought, { oracle: 'dependencies' }>;
    const { dialect, urls } = replayer.target;
    let seen = 0;
    let verdict: PromiseVerdict | undefined;
    let otherwise: Otherwise | undefined;
    await withProbes({ dialect, url: urls[0]!, level, signal: replayer.signal ?? new AbortController().signal }, async (probes) => {
      for (let i = 0; i < times; i++) {
        const anomalies = await probes.anomaliesOf(program, { choices, ...(begunAgain && { begunAgain }) });
        if (typeof anomalies === 'string') {
          otherwise = notJudged(anomalies);
          continue;
        }
        const anomaly = anomalies.find((each) => each.class === wanted);
        if (anomaly === undefined) continue;
        seen++;
        verdict ??= judging.judge(anomaly).verdict;
      }
    });
    return { seen, ...(verdict && { verdict }), ...(otherwise && { otherwise }) };
  },
};

async function inFixture<T>(
  { replayer, level }: Place,
  program: ReplayedProgram['program'],
  work: (runner: ServerRunner) => Promise<T>,
): Promise<T> {
  const { dialect, urls } = replayer.target;
  const namespace = `anomalist_replay_${randomBytes(4).toString('hex')}`;
  const { processes } = replayer.target;
  const own = { dialect, url: urls[0]!, level, namespace, fixtures: [program.fixture], ...(processes && { processes }) };
  return withRunner({ ...own, checkLevel: true }, async (runner) => {
    await runner.load(program);
    return work(runner);
  });
}

/** Returns undefined if the run broke one of the invariants, and otherwise the reason why it does not count. */
async function keptBy(invariants: Invariants, names: readonly string[], { outcome }: Played): Promise<Otherwise | undefined> {
  const broken = await invariants.broken(outcome.state);
  if (names.some((name) => broken.includes(name))) return undefined;
  const unanswered = names.find((name) => invariants.failed.has(name));
  if (unanswered !== undefined) return notJudged(`the invariant ${unanswered} was not answered: ${invariants.failed.get(unanswered)}`);
  return { code: 'not seen', outcome: 'not seen: no serial order explains the outcome, but the invariant holds' };
}

/** Returns the reason why the order did not show it, as far as the transcript tells. */
function preventedBy({ transcript, raced }: Played): Otherwise {
  if (raced !== undefined) return NOT_SEEN;
  const error = transcript.find(({ reply }) => reply?.error !== undefined)?.reply?.error;
  if (error !== undefined) return byError(error.code);
  return transcript.some(({ state }) => state === 'waits') ? BY_BLOCKING : NOT_SEEN;
}
