/** Returns the settings that make a session plan as the fixture demands. */
import type { Dialect } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';

export function planSettings({ indexPlans }: Dialect, plan: Fixture['byIndex']): readonly string[] {
  return plan === false ? [] : (indexPlans?.on[plan] ?? []);
}
