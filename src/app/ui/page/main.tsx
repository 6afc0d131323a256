/** Starts the page: its head, and the view that the address names. */
import { options, render } from 'preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Glossary, showTexts } from '../../../../reports/in-page.ts';
import { usePlace } from './use-place.ts';
import { VIEWS } from './views.ts';

const root = document.querySelector<HTMLElement>('#page')!;
const views = VIEWS.filter(({ needs }) => needs === undefined || needs === root.dataset['has']);

function Page(): VNode {
  const place = usePlace();
  const [name = '', ...rest] = place;
  const view = views.find((each) => each.name === name) ?? views[0]!;
  useEffect(() => {
    document.title = [...rest, 'Anomalist'].join(' · ');
  }, [place.join('/')]);
  return (
    <>
      <header class="top head">
        <h1>Anomalist</h1>
        <nav aria-label="Pages">
          {views
            .filter(({ title }) => title !== undefined)
            .map(({ name: of, title }) => (
              <a key={of} href={`#/${of}`} aria-current={of === view.name ? 'page' : undefined}>
                {title}
              </a>
            ))}
        </nav>
      </header>
      <main>
        <view.show key={place.join('/')} rest={rest} />
        <Glossary />
      </main>
    </>
  );
}

options.vnode = (vnode) => showTexts(vnode);
render(<Page />, root);
