/**
 * Rounds of a schedule are a few statements each, and opening their connections costs a server as much as these: so in that
 * mode they are kept from round to round. Over several endpoints they are not, as rounds there are dealt anew.
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
