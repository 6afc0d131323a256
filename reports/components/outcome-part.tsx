/** @jsxRuntime automatic @jsxImportSource preact */
/** An outcome of a small program on a page of its own: a line that opens to what is told of it, with an address. */
import type { ComponentChildren, VNode } from 'preact';

interface Props {
  readonly id: string;
  readonly verdict?: string;
  /** The line. */
  readonly summary: ComponentChildren;
  readonly open: boolean;
  /** It links to itself. */
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
