/**
 * Dependencies beside the serial orders: an order whose outcome some serial order explains runs again with probes, and the
 * graph of the versions that were read and written is asked. Values may hide what versions show (a value written twice, rows
 * that are the same either way), so an anomaly there is no contradiction; at a level that rules it out it is a fault of the
 * server that no reply shows, or an edge that must not be drawn. Such a run costs as much as dozens of others: not every
 * program has its turn.
 */
import type { Anomaly, Judgement, Program } from '../../../core/index.ts';
import { worst } from '../classify.ts';
import type { Shown } from '../classify.ts';
import type { Outcome } from '../outcome.ts';
import type { Played } from '../play.ts';
import type { Probes } from '../probes.ts';
import { committedIn } from './serial.ts';

/** What no reply shows. */
export interface HiddenAnomaly {
  readonly shown: Shown;
  readonly played: Played;
}

export interface Asked {
  readonly hidden?: HiddenAnomaly;
  /** Why the run with probes says nothing. */
  readonly unclear?: string;
}

export type AskDependencies = (program: Program, played: Played) => Promise<Asked>;

const EVERY = 16;

export function hasTurn({ number }: Program): boolean {
  return number % EVERY === 0;
}

/** The one whose sessions took turns most often; undefined: in none did two transactions commit. */
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
