/** The edges of a cycle, a sentence each in the user's words; the formal one and what it rests on unfold below it. */
import type { CycleStep } from '../../core/index.ts';
import { rowWords } from '../text/row-words.ts';
import { edgeSentence } from '../text/in-users-rows.ts';
import { stepSentence } from '../text/step-words.ts';
import { clip } from '../text/visible.ts';
import { derivation } from './derivation.ts';
import type { Drawn } from './drawn.ts';
import { term } from './glossary.ts';
import type { Lights } from './lights.ts';
import { html, type Markup } from './markup.ts';

export function edgeList(finding: Drawn, lit: Lights, unfolds: boolean = true): Markup | null {
  const { cycle } = finding.anomaly;
  if (cycle.length === 0) return null;
  return html`<ol class="edges">${cycle.map((step, index) => edgeItem(finding, step, index, lit, unfolds))}</ol>`;
}

function edgeItem(finding: Drawn, step: CycleStep, index: number, lit: Lights, unfolds: boolean): Markup {
  const own = stepSentence(finding, step);
  return html`<li tabindex="0" data-key="${lit.edgeKey(index)}" data-lights="${lit.ofEdge(index)}"><b class="pair"><span>T${step.from}</span> <i class="${step.rel}">${term(step.rel)}</i> <span>T${step.to}</span></b>${rowPart(finding, step)}<p>${edgeSentence(finding, step)}</p>${unfolds ? derivation(finding, step, own === undefined ? undefined : step.explanation) : null}</li>`;
}

function rowPart(finding: Drawn, { row, table, readPoint }: CycleStep): Markup | null {
  if (row === undefined) return null;
  return html`<span class="row">${clip(rowWords(finding).name(table, row), 80)}${readPoint === undefined ? null : html`, ${term(`${readPoint} read`)}`}</span>`;
}
