/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from 'preact';

export function Notes({ of }: { readonly of: readonly string[] }): VNode {
  return (
    <ul class="notes">
      {of.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}
