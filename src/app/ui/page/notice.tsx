/** Says what went wrong, near the place that a reader looks at. */
import type { VNode } from 'preact';

export function Notice({ words }: { readonly words: string | undefined }): VNode | null {
  return words === undefined || words === '' ? null : (
    <p class="notice" role="alert">
      {words}
    </p>
  );
}

export function Lost({ lost }: { readonly lost: boolean }): VNode | null {
  return lost ? (
    <Notice words="anomalist ui does not answer. If it was ended, start it again and open the address that it prints." />
  ) : null;
}
