/** The glossary at the page's end, and the words that lead to it: with the script they explain themselves on hover and focus. */
import { GLOSSARY } from '../text/glossary.ts';
import { html, type Markup } from './markup.ts';

const KNOWN: ReadonlySet<string> = new Set(GLOSSARY.flatMap(({ terms }) => Object.keys(terms)));

/** The word as a link to its line; a class with a suffix (`G2-item-realtime`) leads to its base. `shown`: other text than the word. */
export function term(word: string, shown: string = word): Markup {
  const known = termOf(word);
  return known === undefined ? html`${shown}` : html`<a class="term" href="#${termId(known)}" data-term="${known}">${shown}</a>`;
}

/** For elements that are no links: what the script explains on hover. */
export function termOf(word: string): string | undefined {
  return [word, word.replace(/-(session|realtime)$/, '')].find((each) => KNOWN.has(each));
}

/** `write skew, read skew (G2-item)`: each word of it. */
export function termNames(shapes: readonly string[], anomalyClass: string): Markup {
  if (shapes.length === 0) return term(anomalyClass);
  return html`${shapes.map((shape, i) => html`${i === 0 ? '' : ', '}${term(shape)}`)} (${term(anomalyClass)})`;
}

export function glossarySection(): Markup {
  return html`<details class="panel glossary" id="glossary"><summary><h2>Glossary</h2></summary>
${GLOSSARY.map(({ group, terms }) => html`<h3>${group}</h3><dl class="terms">${Object.entries(terms).map(([word, means]) => html`<div id="${termId(word)}"><dt>${word}</dt><dd>${means}</dd></div>`)}</dl>`)}
</details>`;
}

function termId(word: string): string {
  return `term-${word.replaceAll(' ', '-')}`;
}
