/** @jsxRuntime automatic @jsxImportSource preact */
/** A verdict, or what a run or a level comes to, as a coloured word. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  /** The verdict, the standing or the state that gives it its colour. */
  readonly look: string;
  /** The word of the glossary that explains it. */
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
