/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows the glossary at the end of the page, and the words that link to it. The script explains such a word on hover
 * and focus.
 */
import type { VNode } from 'preact';
import { GLOSSARY } from '../text/glossary.ts';

const KNOWN: ReadonlySet<string> = new Set(GLOSSARY.flatMap(({ terms }) => Object.keys(terms)));

/** Shows the word as a link to its line. A class with a suffix (`G2-item-realtime`) links to its base class. */
export function Term({ word }: { readonly word: string }): VNode {
  const known = termOf(word);
  if (known === undefined) return <>{word}</>;
  return (
    <a class="term" href={`#${termId(known)}`} data-term={known}>
      {word}
    </a>
  );
}

/**
 * Returns the word of the glossary that explains this word. Elements that are not links give it to the script for
 * hovering.
 */
export function termOf(word: string): string | undefined {
  return [word, word.replace(/-(session|realtime)$/, '')].find((each) => KNOWN.has(each));
}

/** Shows `write skew, read skew (G2-item)` with a link for each word. */
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
