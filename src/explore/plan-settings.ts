/** What a session is told so that it plans as a world says. */
import type { Dialect, World } from '../../core/index.ts';

export function planSettings({ indexPlans }: Dialect, plan: World['byIndex']): readonly string[] {
  return plan === false ? [] : (indexPlans?.on[plan] ?? []);
}
