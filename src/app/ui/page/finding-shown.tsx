/** What the two views of a finding share, that of a run and that of a store: its head, and the finding in brief where no file keeps it whole. */
import type { ComponentChildren, VNode } from 'preact';
import type { FindingDetails } from './messages.ts';

export function FindingHead({ of: { verdict, name, target, level } }: { readonly of: Head }): VNode {
  return (
    <h2 class="finding-head">
      <span class={`badge ${verdict}`}>{verdict}</span> {name}{' '}
      <span class="quiet">
        {target}, {level}
      </span>
    </h2>
  );
}

type Head = Pick<FindingDetails, 'verdict' | 'name' | 'target' | 'level'>;

/** `children`: why there is no more of it. */
export function FindingInBrief({
  of: { explanation, edges, command },
  children,
}: {
  readonly of: Pick<FindingDetails, 'explanation' | 'edges' | 'command'>;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <>
      <p class="explanation">{explanation}</p>
      <ol class="edges">
        {edges.map(({ from, to, rel, explanation: why }, i) => (
          <li key={i}>
            <b class="pair">
              T{from} <i>{rel}</i> T{to}
            </b>
            <p>{why}</p>
          </li>
        ))}
      </ol>
      <p class="quiet">{children}</p>
      <pre class="replay" tabIndex={0} aria-label="Command that runs this round again">
        <code>{command}</code>
      </pre>
    </>
  );
}
