/**
 * What became of a finding when it was replayed: how often, reduced to what, the plain statements with what they
 * returned, a sentence for each serial order, the same schedule elsewhere; then the files, each with a button to copy it.
 */
import { isAnomaly } from '../../core/index.ts';
import type { Finding } from '../../core/index.ts';
import { controlsOf } from '../finding/facts.ts';
import { rateSentence } from '../repro/case-header.ts';
import type { FindingFile } from '../repro/files.ts';
import { hasCase, reproCase, stepAnswer, waitingWords } from '../repro/repro-case.ts';
import { counted, levelWords } from '../text/words.ts';
import { htmlTable } from './html-table.ts';
import { html, type Markup } from './markup.ts';
import { stepLanes } from './step-lanes.ts';

export function reproductionSection(finding: Finding): Markup | null {
  if (!hasCase(finding) || (isAnomaly(finding) && finding.reproduction === undefined)) return null;
  const repro = reproCase(finding);
  const reduction = isAnomaly(finding) ? finding.reproduction?.reduction : undefined;
  const controls = controlsOf(finding);
  return html`<section class="reproduction" aria-label="Reproduction"><h3>Reproduction</h3>
<p>${rateSentence(repro)}${reduction === undefined ? null : html` Reduced from ${counted(reduction.before.transactions, 'transaction')} and ${counted(reduction.before.statements, 'statement')} to ${reduction.after.transactions} and ${reduction.after.statements}.`}</p>
${
  repro.instrumented
    ? null
    : html`${stepLanes(repro.steps.map((step, i) => ({ session: step.session, sql: step.sql.join('; '), notes: [waitingWords(repro, i), stepAnswer(step), step.added ? 'added to show the anomaly' : ''], state: step.error === null ? (step.blocked ? 'blocked' : '') : 'failed' })))}
<p>${repro.explanation}</p>
${repro.orders.length === 0 ? null : html`<ul class="orders">${repro.orders.map(({ sentence, explains }) => html`<li>${sentence}${explains ? ' This order explains the results.' : ''}</li>`)}</ul>`}`
}
${controls.length === 0 ? null : htmlTable([['target', 'level', 'outcome', 'k of N'], ...controls.map((each) => [each.target, levelWords(each.level), each.outcome, `${each.rate.seen} of ${each.rate.tries}`])], 'The same schedule elsewhere')}
</section>`;
}

/** Files of text, each folded, with its button. */
export function copySection(finding: Finding, files: readonly FindingFile[]): Markup | null {
  if (files.length === 0 || finding.vendor === undefined) return null;
  const { title } = finding.vendor;
  const rank = ({ kind }: FindingFile): number => (kind === 'tracker.md' ? 0 : 1);
  const shown = files.filter(({ kind }) => kind !== 'graph.gexf' && kind !== 'graph.svg').toSorted((a, b) => rank(a) - rank(b));
  return html`<section class="files" aria-label="Files"><h3>For a report</h3>${shown.map(({ kind, name, text }) => html`<details class="more file"><summary>${kind === 'tracker.md' ? html`Text for ${title}’s tracker` : kind} <span class="quiet">${name}</span></summary><button type="button" class="copy" data-copy>Copy</button><pre tabindex="0" aria-label="${name}"><code>${text}</code></pre></details>`)}</section>`;
}
