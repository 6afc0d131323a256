/**
 * The same schedule at every level of every server at hand: where it shows the anomaly, and what prevents it elsewhere.
 */
import { judge } from '../../check/index.ts';
import { DatabaseError } from '../../core/index.ts';
import type { Anomaly, Control, ControlCode, DialectLevel, History, Rate, TestCase } from '../../core/index.ts';
import { judgedConfiguration } from '../assess/configuration.ts';
import { assessHistory } from '../assess/graph.ts';
import type { Wanted } from './replay.ts';
import type { Replayer } from './replayer.ts';

const TIMES = 2;

/** An anomaly that a case is there to show. */
export interface Sought {
  readonly is: (anomaly: Anomaly) => boolean;
  readonly predicates: boolean;
}

/** Whatever the vendor says of it elsewhere. */
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
        otherwise = notRun(reason);
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
      } else otherwise = prevention(history);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      otherwise = notRun(error.message.slice(0, 200));
      break;
    }
  }
  return { ...where, ...ended({ tries, seen }, otherwise), ...(judgement && { judgement }) };
}

/** What a control says of the tries in which nothing was seen. */
export interface Otherwise {
  readonly code: Exclude<ControlCode, 'occurs'>;
  readonly outcome: string;
}

export const NOT_SEEN: Otherwise = { code: 'not seen', outcome: 'not seen' };

export function notRun(reason: string | undefined): Otherwise {
  return { code: 'not run', outcome: `not run: ${reason ?? 'no reason given'}` };
}

/** What was seen stays seen, whatever became of the tries after it. */
export function ended(rate: Rate, otherwise: Otherwise): Pick<Control, 'rate' | 'code' | 'outcome'> {
  return { rate, ...(rate.seen > 0 ? { code: 'occurs', outcome: 'occurs' } : otherwise) };
}

/** What kept a schedule from showing an anomaly, as far as the record tells. */
export function prevention({ statements }: Pick<History, 'statements'>): Otherwise {
  const error = statements.error.find((each) => each !== undefined);
  if (error !== undefined) return { code: 'error', outcome: `prevented by error ${error.code}` };
  return statements.blocked.includes(1) ? { code: 'blocking', outcome: 'prevented by blocking' } : NOT_SEEN;
}
