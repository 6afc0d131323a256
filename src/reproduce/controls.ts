/** Runs the same schedule at every level of every available server: where it shows the anomaly, and what prevents it elsewhere. */
import { judge } from '../../check/index.ts';
import { DatabaseError } from '../../core/index.ts';
import type { Anomaly, Control, DialectLevel, History, TestCase } from '../../core/index.ts';
import { judgedConfiguration } from '../judge/assess/configuration.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import { failsInTurn, failureIn } from './fails-in-turn.ts';
import { BY_BLOCKING, NOT_SEEN, byError, ended, lost, notRun, unusable } from './otherwise.ts';
import type { Otherwise } from './otherwise.ts';
import type { Wanted } from './replay.ts';
import type { Replayer } from './replayer.ts';

const TIMES = 2;
/** After these a further try cannot give another result. */
const ENDS: ReadonlySet<Otherwise['code']> = new Set(['unusable', 'lost', 'not run']);

/** The anomaly that a case should show. */
export interface Sought {
  readonly is: (anomaly: Anomaly) => boolean;
  readonly predicates: boolean;
}

/** Accepts the anomaly with any verdict, since vendors differ. */
export function sought({ class: name, shape, predicates }: Wanted): Sought {
  return { is: (anomaly) => anomaly.class === name && (shape === undefined || anomaly.shapes.includes(shape)), predicates };
}

export async function controls(
  replayers: readonly Replayer[],
  testCase: TestCase,
  wanted: Wanted,
  own: Replayer,
  over: () => boolean,
): Promise<Control[]> {
  const found: Control[] = [];
  for (const replayer of replayers) {
    for (const level of replayer.target.dialect.levels) {
      if ((level.aliasOf !== undefined || level.offByDefault) && !(replayer === own && level.level === wanted.level.level)) continue;
      if (over()) return found;
      found.push(
        await control(replayer, testCase, sought(wanted), level, {
          own: replayer === own && level.level === wanted.level.level,
          times: TIMES,
        }),
      );
    }
  }
  return found;
}

export async function control(
  replayer: Replayer,
  testCase: TestCase,
  { is, predicates }: Sought,
  level: DialectLevel,
  { own, times }: { readonly own: boolean; readonly times: number },
): Promise<Control> {
  const { version } = await replayer.server();
  const where = { target: replayer.target.name, server: version, level: level.level, own };
  let tries = 0;
  let seen = 0;
  let judgement: Control['judgement'];
  let otherwise = NOT_SEEN;
  while (tries < times) {
    try {
      const outcome = await replayer.attempt(testCase, { level, images: predicates });
      const { history, complete, reason } = outcome;
      if (!complete) {
        otherwise = replayer.signal?.aborted ? notRun(reason) : lost(reason ?? 'no reason given');
        break;
      }
      tries++;
      const anomaly = assessHistory(history).verdict.anomalies.find(is);
      if (anomaly) {
        seen++;
        judgement = judge(
          anomaly,
          level.level,
          judgedConfiguration(outcome, anomaly),
          replayer.target.dialect.promises,
          replayer.target.dialect,
        );
      } else {
        otherwise = await outcomeWithout(replayer, testCase, level, history);
        if (ENDS.has(otherwise.code)) break;
      }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const gone = replayer.target.dialect.classifyError(error).class === 'connection';
      otherwise = (gone ? lost : notRun)(error.message.slice(0, 200));
      break;
    }
  }
  return { ...where, ...ended({ tries, seen }, otherwise), ...(judgement && { judgement }) };
}

/** Returns why a run did not show it. An error is the reason only if the same statement succeeds without concurrency. */
async function outcomeWithout(replayer: Replayer, testCase: TestCase, level: DialectLevel, history: History): Promise<Otherwise> {
  const failure = failureIn(history);
  if (failure === undefined) return prevention(history);
  const inTurn = await failsInTurn(replayer, testCase, level, failure);
  if (typeof inTurn === 'string') return replayer.signal?.aborted ? notRun(inTurn) : lost(inTurn);
  if (inTurn)
    return unusable(`T${failure.txn} fails when the transactions run one after the other too: ${failure.message} (${failure.code})`);
  return prevention(history);
}

/** Returns what kept a schedule from showing an anomaly, as far as the record tells. */
export function prevention({ statements }: Pick<History, 'statements'>): Otherwise {
  const error = statements.error.find((each) => each !== undefined);
  if (error !== undefined) return byError(error.code);
  return statements.blocked.includes(1) ? BY_BLOCKING : NOT_SEEN;
}
