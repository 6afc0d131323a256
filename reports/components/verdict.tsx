/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows the result of a run as a word with sentences beside it. A reader sees it first. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  /** The standing or the state gives the verdict its colour. */
  readonly look: string;
  readonly word: string;
  readonly label: string;
  /** The sentences stand after the word. */
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
