/** The explore part of a run on its page, in a few lines; the whole of it is a page of its own. */
import type { ExploredPart } from '../../core/index.ts';
import { exploredLines, exploredWords, rankOf, verdictWord } from '../run/explored.ts';
import { html, type Markup } from './markup.ts';

export function exploredSection(part: ExploredPart): Markup {
  const { page, cutShort } = part;
  return html`<h2 id="explored">${exploredWords(part).title}</h2>
${cutShort === undefined ? null : html`<p>${page === undefined ? 'Not run' : 'Ended early'}: ${cutShort}</p>`}
<div class="cards">${exploredLines(part).map(
    ({ level, standing: { kind, words }, coverage, findings, more }) => html`<article class="card ${kind}">
<header><h3>${level.level}</h3><span class="badge ${kind}">${kind === 'clean' ? 'nothing seen' : kind === 'known' ? 'known bug' : kind}</span></header>
<p class="words">${words}</p>
<p class="quiet">${coverage}</p>
${findings.map(({ finding, words: found }) => html`<p class="words"><span class="badge ${rankOf(finding)}">${verdictWord(finding)}</span> ${found}</p><pre><code>${finding.command}</code></pre>`)}
${more === 0 ? null : html`<p class="quiet">${more} more in its page.</p>`}
</article>`,
  )}</div>
${page === undefined ? null : html`<p><a href="${page}">All of it, with an example of each to be typed in</a></p>`}`;
}
