/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows a verdict, or the result of a run or a level, as a coloured word. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  /** The verdict, the standing or the state gives the badge its colour. */
  readonly look: string;
  /** This word of the glossary explains the badge. */
  readonly term?: string;
  readonly children: ComponentChildren;
}

export function Badge({ look, term, children }: Props): VNode {
  return (
    <span class={`badge ${look}`} data-term={term}>
      {children}
    </span>
  );
}
