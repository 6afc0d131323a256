/** The page: its head, and the view that the address names. */
import { render } from 'preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { VIEWS } from './views.ts';

function Page(): VNode {
  const [name = '', ...rest] = usePlace();
  const view = VIEWS.find((each) => each.name === name) ?? VIEWS[0]!;
  return (
    <>
      <header class="top bar-top">
        <h1>Anomalist</h1>
        {VIEWS.filter(({ title }) => title !== undefined).map(({ name: of, title }) => (
          <a key={of} href={`#/${of}`} aria-current={of === view.name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </header>
      <main>
        <view.show rest={rest} />
      </main>
    </>
  );
}

/** The parts of the address behind `#/`. */
function usePlace(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
}

render(<Page />, document.querySelector('#page')!);
