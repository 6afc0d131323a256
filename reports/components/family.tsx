/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows a family of findings as a line that opens to them. */
import type { ComponentChildren, VNode } from 'preact';
import type { PromiseVerdict } from '../../core/level/index.ts';
import { Badge } from './badge.tsx';

interface Props {
  readonly verdict: PromiseVerdict;
  readonly name: string;
  /** Lists the kinds of edge, separated by spaces. It is empty if the anomaly is no cycle. */
  readonly edges: string;
  /** This part stands between the edges and `where`. */
  readonly beside?: ComponentChildren;
  /** Names the level and counts the findings of the family. */
  readonly where: ComponentChildren;
  readonly open: boolean;
  /** The local page is told that the family was opened or closed. */
  readonly toggled?: (open: boolean) => void;
  readonly children: ComponentChildren;
}

export function FamilyPart({ verdict, name, edges, beside, where, open, toggled, children }: Props): VNode {
  return (
    <details
      class={`family ${verdict}`}
      open={open}
      onToggle={toggled && (({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => toggled(currentTarget.open))}
    >
      <summary>
        <Badge look={verdict} term={verdict}>
          {verdict}
        </Badge>
        <span class="name">{name}</span>
        {edges !== '' && <Ring edges={edges} />}
        {beside}
        <span class="where">{where}</span>
      </summary>
      {children}
    </details>
  );
}

function Ring({ edges }: { readonly edges: string }): VNode {
  return (
    <span class="ring" aria-label={`edges ${edges}`}>
      {edges.split(' ').map((edge) => (
        <i data-term={edge}>{edge}</i>
      ))}
    </span>
  );
}
