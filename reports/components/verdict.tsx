/** @jsxRuntime automatic @jsxImportSource preact */
/** The first thing that a reader sees of a run: the word that it comes to, and sentences about it. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  /** The standing or the state that colours it. */
  readonly look: string;
  readonly word: string;
  readonly label: string;
  /** They stand behind the word. */
  readonly children: ComponentChildren;
}

export function Verdict({ look, word, label, children }: Props): VNode {
  return (
    <section class={`verdict ${look}`} aria-label={label}>
      <strong>{word}</strong>
      {children}
    </section>
  );
}
