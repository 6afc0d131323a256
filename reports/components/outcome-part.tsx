/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows an outcome of a small program as a line that opens to its details. Each outcome has an address. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  readonly id: string;
  readonly verdict?: string;
  readonly summary: ComponentChildren;
  readonly open: boolean;
  /** True if the outcome has a link to itself. */
  readonly linked?: boolean;
  readonly children: ComponentChildren;
}

export function OutcomePart({ id, verdict, summary, open, linked = false, children }: Props): VNode {
  return (
    <div class={`finding outcome${verdict === undefined ? '' : ` ${verdict}`}`} id={id}>
      <details open={open}>
        <summary>{summary}</summary>
        <div class="body" data-drawn="yes">
          {children}
        </div>
      </details>
      {linked && (
        <span class="acts">
          <a href={`#${id}`} title="Link to this outcome" aria-label="Link to this outcome">
            #
          </a>
        </span>
      )}
    </div>
  );
}
