/** What a session is told so that it plans as a fixture says. */
import type { Dialect, Fixture } from '../../core/index.ts';

export function planSettings({ indexPlans }: Dialect, plan: Fixture['byIndex']): readonly string[] {
  return plan === false ? [] : (indexPlans?.on[plan] ?? []);
}
