/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows one level as a card: what ran there and with which result, and its figures. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  /** The standing colours the card's edge. */
  readonly look: string;
  readonly id?: string;
  readonly title: string;
  /** The badge stands beside the title. */
  readonly beside: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ look, id, title, beside, children }: Props): VNode {
  return (
    <article class={`card ${look}`} id={id}>
      <header>
        <h3>{title}</h3>
        {beside}
      </header>
      {children}
    </article>
  );
}

export function Figures({ of }: { readonly of: readonly (readonly [name: string, value: string])[] }): VNode {
  return (
    <dl class="figures">
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows names and values in two columns. */
export function Facts({ of }: { readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[] }): VNode {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** Shows the facts of a whole run in the head of its page. */
export function RunFacts({ of }: { readonly of: readonly (readonly [name: string, value: string])[] }): VNode {
  return (
    <dl class="run">
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
