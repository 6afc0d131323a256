/**
 * Keeps connections from round to round in schedule mode. A round of a schedule has a few statements, and opening its
 * connections costs a server as much as these. With several endpoints they are not kept, because each round spreads its
 * sessions anew.
 */
import { KeptConnections } from '../execute/index.ts';
import type { RunPlan } from './plan.ts';

export async function withKept<T>(plan: RunPlan, work: (plan: RunPlan) => Promise<T>): Promise<T> {
  const { target, mode } = plan;
  if (mode !== 'schedule' || target.urls.length > 1) return work(plan);
  const kept = new KeptConnections(target.dialect);
  try {
    return await work({ ...plan, target: { ...target, dialect: kept.dialect } });
  } finally {
    await kept.close();
  }
}
