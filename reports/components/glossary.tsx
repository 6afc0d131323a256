/** @jsxRuntime automatic @jsxImportSource preact */
/** The glossary at the page's end, and the words that lead to it: with the script they explain themselves on hover and focus. */
import type { VNode } from 'preact';
import { GLOSSARY } from '../text/glossary.ts';

const KNOWN: ReadonlySet<string> = new Set(GLOSSARY.flatMap(({ terms }) => Object.keys(terms)));

/** The word as a link to its line; a class with a suffix (`G2-item-realtime`) leads to its base. */
export function Term({ word }: { readonly word: string }): VNode {
  const known = termOf(word);
  if (known === undefined) return <>{word}</>;
  return (
    <a class="term" href={`#${termId(known)}`} data-term={known}>
      {word}
    </a>
  );
}

/** For elements that are no links: the word that the script explains on hover. */
export function termOf(word: string): string | undefined {
  return [word, word.replace(/-(session|realtime)$/, '')].find((each) => KNOWN.has(each));
}

/** `write skew, read skew (G2-item)`: each word of it. */
export function TermNames({ shapes, of }: { readonly shapes: readonly string[]; readonly of: string }): VNode {
  if (shapes.length === 0) return <Term word={of} />;
  return (
    <>
      {shapes.map((shape, i) => (
        <>
          {i === 0 ? '' : ', '}
          <Term word={shape} />
        </>
      ))}{' '}
      (<Term word={of} />)
    </>
  );
}

export function Glossary(): VNode {
  return (
    <details class="panel glossary" id="glossary">
      <summary>
        <h2>Glossary</h2>
      </summary>
      {GLOSSARY.map(({ group, terms }) => (
        <>
          <h3>{group}</h3>
          <dl class="terms">
            {Object.entries(terms).map(([word, means]) => (
              <div id={termId(word)}>
                <dt>{word}</dt>
                <dd>{means}</dd>
              </div>
            ))}
          </dl>
        </>
      ))}
    </details>
  );
}

function termId(word: string): string {
  return `term-${word.replaceAll(' ', '-')}`;
}
