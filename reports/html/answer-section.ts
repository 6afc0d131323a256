/** The first screen: what the run comes to in a sentence, what was seen at which level, and the worst case drawn. */
import type { LevelReport, PromiseVerdict, Report } from '../../core/index.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { exploredFindingWords, exploredStanding, exploredWords } from '../run/explored.ts';
import { levelKey, standing, sum, VERDICTS } from '../run/figures.ts';
import { holdsWord } from '../run/holds.ts';
import { runVerdict } from '../run/verdict.ts';
import { worstFinding } from '../run/worst.ts';
import { anomalyName, grouped } from '../text/words.ts';
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

/** Of the rounds, unless what was explored has worse. */
function worstCase(report: Report): Markup | null {
  const worst = worstFinding(report);
  const ofRounds = VERDICTS.findIndex((verdict) => verdict === worst?.finding.judgement.verdict);
  const explored = VERDICTS.slice(0, ofRounds < 0 ? undefined : ofRounds).flatMap((verdict) => exploredWorst(report, verdict))[0];
  if (explored !== undefined) return explored;
  if (worst === undefined) return null;
  const { n, finding } = worst;
  const { verdict } = finding.judgement;
  return html`<section class="worst" aria-label="The worst case"><h2>The worst case <span class="badge ${verdict}">${verdict}</span> <a href="#finding-${n}">${anomalyName(finding.anomaly)}</a> <span class="quiet">${finding.target} at ${finding.level}, finding ${n}</span></h2>
${picture(asReplayed(finding), true)}
${command(finding.replay, 'Command that replays the worst case')}</section>`;
}

/** None or one. */
function exploredWorst({ explored }: Report, verdict: PromiseVerdict): readonly Markup[] {
  for (const { level, findings } of explored?.levels ?? []) {
    const found = findings.findIndex((each) => each.verdict === verdict);
    const finding = findings[found];
    if (finding?.lines === undefined) continue;
    return [
      html`<section class="worst" aria-label="The worst case"><h2>The worst case <span class="badge ${verdict}">${verdict}</span> <a href="${explored?.page === undefined ? '#explored' : `${explored.page}#${level}-${found + 1}`}">${exploredFindingWords(finding)}</a> <span class="quiet">at ${level}</span></h2>
${exploredLanes(finding.lines)}
${command(finding.command, 'Command that runs the worst case alone')}</section>`,
    ];
  }
  return [];
}

/** Level by name of anomaly; a number chooses its findings. */
function gridTable(report: Report, facets: Facets): Markup {
  const names = namesOf(report.levels);
  const head = names.map((name) => html`<th scope="col" class="num">${term(name)}</th>`);
  return html`<div class="scroll levels${names.length > MOST_NAMES ? ' many' : ''}" tabindex="0" role="group" aria-label="What was seen at each level"><table><thead><tr><th scope="col">level</th>${head}<th scope="col">${term('shown to hold')} for</th></tr></thead><tbody>
${report.levels.map((level) => html`<tr><th scope="row"><span class="dot ${standing(level).kind}"></span><a href="#level-${levelKey(level)}">${report.levels.some((other) => other !== level && levelKey(other) === levelKey(level)) ? `${level.target} ` : ''}${levelKey(level)}</a></th>${names.map((name) => gridCell(level, name, facets))}<td data-name="${/^(violated|unknown)$/.test(holdsWord(level)) ? 'the level is' : 'shown to hold for'}">${holdsWord(level)}</td></tr>`)}
${(report.explored?.levels ?? []).map((level) => html`<tr><th scope="row"><span class="dot ${exploredStanding(level).kind}"></span><a href="#explored">${level.level}, ${exploredWords(report.explored!).short}</a></th><td colspan="${names.length + 1}">${exploredStanding(level).words}</td></tr>`)}
</tbody></table></div>`;
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
