/** Returns the settings that make a session plan as the fixture demands. */
import type { Dialect, Fixture } from '../../core/index.ts';

export function planSettings({ indexPlans }: Dialect, plan: Fixture['byIndex']): readonly string[] {
  return plan === false ? [] : (indexPlans?.on[plan] ?? []);
}
