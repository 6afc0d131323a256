/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows a command with its copy button. */
import type { VNode } from 'preact';

export function Command({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return (
    <div class="file">
      <CopyButton />
      <pre class="replay" tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** Copies the text beside it (script/copy.ts). */
export function CopyButton(): VNode {
  return (
    <button type="button" class="copy" data-copy="">
      Copy
    </button>
  );
}

/** Shows lines as a terminal prints them, with a copy button. */
export function CopyLines({ of }: { readonly of: readonly string[] }): VNode {
  return (
    <div class="file">
      <CopyButton />
      <Lines of={of} />
    </div>
  );
}

export function Lines({ of }: { readonly of: readonly string[] }): VNode {
  return <pre>{of.join('\n')}</pre>;
}
