/**
 * Checks dependencies beside the serial orders. An order whose outcome some serial order explains runs again with probes,
 * and the graph of its read and written versions is searched. Values may hide what versions show (a value written twice,
 * equal rows), so an anomaly there is no contradiction. At a level that rules it out, either the server has a fault that
 * no reply shows, or an edge was wrongly drawn. A run with probes costs as much as dozens of others, so only some
 * programs get one.
 */
import type { Anomaly, Judgement, Program } from '../../../core/index.ts';
import { worst } from '../classify.ts';
import type { Shown } from '../classify.ts';
import type { Outcome } from '../outcome.ts';
import type { Played } from '../play.ts';
import type { Probes } from '../probes.ts';
import { committedIn } from './serial.ts';

/** An anomaly that no reply shows. */
export interface HiddenAnomaly {
  readonly shown: Shown;
  readonly played: Played;
}

export interface Asked {
  readonly hidden?: HiddenAnomaly;
  /** The reason why the run with probes gives no answer. */
  readonly unclear?: string;
}

export type AskDependencies = (program: Program, played: Played) => Promise<Asked>;

const EVERY = 16;

export function hasTurn({ number }: Program): boolean {
  return number % EVERY === 0;
}

/** Returns the run whose sessions took turns most often. Undefined: in no run two transactions committed. */
export function mostInterleaved(played: readonly Played[]): Played | undefined {
  const turns = ({ choices }: Played): number => choices.filter((session, i) => i > 0 && choices[i - 1] !== session).length;
  return played.filter(({ outcome }) => hasTwo(outcome)).toSorted((a, b) => turns(b) - turns(a))[0];
}

function hasTwo(outcome: Outcome): boolean {
  return committedIn(outcome).length > 1;
}

export async function askDependencies(
  probes: Probes,
  program: Program,
  played: Played,
  judge: (anomaly: Anomaly) => Judgement,
): Promise<Asked> {
  const anomalies = await probes.anomaliesOf(program, played);
  if (typeof anomalies === 'string') return { unclear: anomalies };
  const [shown] = worst(anomalies, [], judge);
  return shown === undefined ? {} : { hidden: { shown, played } };
}
