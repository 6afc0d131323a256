/**
 * Returns the parts of the address after `#/`. Another address names an element of the page, such as a word of the
 * glossary. It opens that element.
 */
import { useEffect, useState } from 'preact/hooks';

export function usePlace(): readonly string[] {
  const [hash, setHash] = useState(placeOf(location.hash) ?? '');
  useEffect(() => {
    const changed = (): void => {
      const place = placeOf(location.hash);
      if (place !== undefined) return setHash(place);
      lead(location.hash.slice(1));
      history.replaceState(null, '', `#/${hash}`);
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, [hash]);
  return hash.split('/').map(decodeURIComponent);
}

/** Returns undefined if the address names an element of the present view instead of a view. */
function placeOf(hash: string): string | undefined {
  if (hash === '') return '';
  return hash.startsWith('#/') ? hash.slice(2) : undefined;
}

function lead(id: string): void {
  const named = document.getElementById(decodeURIComponent(id));
  for (let around = named; around !== null; around = around.parentElement) if (around instanceof HTMLDetailsElement) around.open = true;
  named?.scrollIntoView({ block: 'center' });
}
