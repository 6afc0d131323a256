/** The first screen: what the run comes to in a sentence, what was seen at which level, and the worst case drawn. */
import { isAnomaly } from '../../core/index.ts';
import type { LevelReport, PromiseVerdict, Report } from '../../core/index.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { findingName, rankOfFinding } from '../finding/facts.ts';
import { allowsWords } from '../run/allowed.ts';
import { exploredStanding, exploredWords } from '../run/explored.ts';
import { levelKey, standing, sum, VERDICTS } from '../run/figures.ts';
import { holdsWord } from '../run/holds.ts';
import { runVerdict } from '../run/verdict.ts';
import { worstOf } from '../run/worst.ts';
import { grouped } from '../text/words.ts';
import { command } from './command.ts';
import { facetValue, type Facets } from './facets.ts';
import { term, termOf } from './glossary.ts';
import { html, type Markup } from './markup.ts';
import { picture } from './picture.ts';
import { exploredLanes } from './step-lanes.ts';

/** Names of anomalies that fit beside each other. */
const MOST_NAMES = 7;

export function answerSection(report: Report, facets: Facets): Markup {
  const { kind, word, sentences, beside } = runVerdict(report);
  return html`<section class="first" aria-label="Answer">
<div class="verdict ${kind}"><strong>${word}</strong><div>${sentences.map((words) => html`<p>${words}</p>`)}${beside.map((words) => html`<p class="quiet">${words}</p>`)}</div></div>
${gridTable(report, facets)}
${worstCase(report)}
</section>`;
}

/** The worst finding of the rounds and the exploration. */
function worstCase(report: Report): Markup | null {
  const found = worstOf(report);
  if (found === undefined) return null;
  const { n, finding } = found;
  const rank = rankOfFinding(finding);
  return html`<section class="worst" aria-label="The worst case"><h2>The worst case <span class="badge ${rank}">${rank === 'known' ? 'known bug' : rank}</span> <a href="#finding-${n}">${findingName(finding)}</a> <span class="quiet">${finding.target} at ${finding.level}, finding ${n}</span></h2>
${isAnomaly(finding) ? picture(asReplayed(finding), true) : exploredLanes(finding.family.example.lines)}
${command(finding.replay, 'Command that replays the worst case')}</section>`;
}

/** Level by name of anomaly; a number chooses its findings. */
function gridTable(report: Report, facets: Facets): Markup {
  const names = namesOf(report.levels);
  const head = names.map((name) => html`<th scope="col" class="num">${term(name)}</th>`);
  return html`<div class="scroll levels${names.length > MOST_NAMES ? ' many' : ''}" tabindex="0" role="group" aria-label="What was seen at each level"><table><thead><tr><th scope="col">level</th>${head}<th scope="col">${term('shown to hold')} for</th></tr></thead><tbody>
${report.levels.map((level) => html`<tr><th scope="row"><span class="dot ${standing(level).kind}"></span><a href="#level-${levelKey(level)}">${report.levels.some((other) => other !== level && levelKey(other) === levelKey(level)) ? `${level.target} ` : ''}${levelKey(level)}</a></th>${names.map((name) => gridCell(level, name, facets))}${holdsCell(level)}</tr>`)}
${(report.explored?.levels ?? []).map((level) => html`<tr><th scope="row"><span class="dot ${exploredStanding(level).kind}"></span><a href="#explored">${level.level}, ${exploredWords(report.explored!).short}</a></th><td colspan="${names.length + 1}">${exploredStanding(level).words}</td></tr>`)}
</tbody></table></div>`;
}

function holdsCell(level: LevelReport): Markup {
  const allows = allowsWords(level);
  if (allows !== undefined) return html`<td data-name="the vendor">${allows}</td>`;
  const word = holdsWord(level);
  return html`<td data-name="${/^(violated|unknown)$/.test(word) ? 'the level is' : 'shown to hold for'}">${word}</td>`;
}

/** The worst first, then the most frequent. */
function namesOf(levels: readonly LevelReport[]): readonly string[] {
  const names = [...new Set(levels.flatMap((level) => Object.keys(level.names)))];
  const all = (name: string, verdict: PromiseVerdict): number => sum(levels.map((level) => level.names[name]?.[verdict]));
  const worst = (name: string): number => VERDICTS.findIndex((verdict) => all(name, verdict) > 0);
  const total = (name: string): number => sum(VERDICTS.map((verdict) => all(name, verdict)));
  return names.toSorted((a, b) => worst(a) - worst(b) || total(b) - total(a));
}

function gridCell(level: LevelReport, name: string, facets: Facets): Markup {
  const counts = VERDICTS.flatMap((verdict) => {
    const n = level.names[name]?.[verdict] ?? 0;
    return n === 0 ? [] : [{ verdict, n }];
  });
  if (counts.length === 0) return html`<td class="num zero">·</td>`;
  const picks = [facetValue(facets, 'level', level.level), facetValue(facets, 'shape', name)];
  const shown = counts.map(({ verdict, n }) => html`<span class="${verdict}">${grouped(n)}</span>`);
  if (picks.includes(undefined)) return html`<td class="num" data-name="${name}">${shown}</td>`;
  return html`<td class="num" data-name="${name}"><button type="button" class="chosen" data-picks="${picks.join(',')}" data-term="${termOf(name) ?? ''}" aria-label="${name} at ${level.level}: show these findings">${shown}</button></td>`;
}
