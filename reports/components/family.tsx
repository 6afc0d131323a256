/** @jsxRuntime automatic @jsxImportSource preact */
/** A family of findings: a line that opens to them. */
import type { ComponentChildren, VNode } from 'preact';
import type { PromiseVerdict } from '../../core/index.ts';
import { Badge } from './badge.tsx';

interface Props {
  readonly verdict: PromiseVerdict;
  readonly name: string;
  /** Kinds of edge, a space between two; empty: it is no ring. */
  readonly edges: string;
  /** It stands between the edges and `where`. */
  readonly beside?: ComponentChildren;
  /** Its level, and how many findings it has. */
  readonly where: ComponentChildren;
  readonly open: boolean;
  /** In the local page: it was opened or closed. */
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
