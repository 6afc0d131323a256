/** Counts the findings of each verdict, the worst first. Verdicts without findings are left out. */
import type { VNode } from 'preact';
import type { PromiseVerdict } from '../../../../core/level/index.ts';
import { Badge, VERDICTS, grouped } from '../../../../reports/in-page.ts';

export function Counts({ of }: { readonly of: Readonly<Record<PromiseVerdict, number>> }): VNode {
  const some = VERDICTS.filter((verdict) => of[verdict] > 0);
  if (some.length === 0) return <span class="quiet">none seen</span>;
  return (
    <span class="counts">
      {some.map((verdict) => (
        <Badge key={verdict} look={verdict}>
          {grouped(of[verdict])} {verdict}
        </Badge>
      ))}
    </span>
  );
}
