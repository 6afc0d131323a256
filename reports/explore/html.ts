/**
 * Writes an exploration as one page that loads nothing. It has the enumerated orders at each level, then every family
 * with its example. An example is drawn with a column for each session, and printed as in a terminal, to be typed in by
 * hand. Each family has an address of its own.
 */
import type { ExploreFamily } from '../../core/index.ts';
import { command } from '../html/command.ts';
import { glossarySection, term } from '../html/glossary.ts';
import { html, trusted, type Markup } from '../html/markup.ts';
import { ownSettingsPart } from '../html/own-settings.ts';
import { pageHead } from '../html/page.ts';
import { SCRIPT } from '../html/script.ts';
import { exploredLanes } from '../html/step-lanes.ts';
import { exploredFindingWords, exploredStanding, exploredWords, rankOf, verdictWord } from '../run/explored.ts';
import { exploredPart } from './part.ts';
import type { ExploreLevel, ExploreReport } from './report.ts';
import { exploreSummary, exploredIncomplete, familyLines } from './text.ts';
import { worstFirst } from './worst-first.ts';
import { ownBreaksLines, togetherLines } from './together.ts';

const ABOUT = {
  exploration:
    'Two to four transactions of a few statements, in every order that the server allows; each outcome is compared with those of the serial orders.',
  rounds:
    'Transactions of generated cases, one of each session together, each time from the same rows; each outcome of at most four of them is compared with those of the serial orders, and after each the tables are compared with their keys and indexes.',
} as const;

/** `runPage`: the page of the run that contains the exploration, in the same folder. */
export function exploreHtml(report: ExploreReport, runPage: string): string {
  const part = exploredPart(report, '');
  const { title } = exploredWords(report);
  const badges = part.levels.map((level) => ({ level: level.level, ...exploredStanding(level) }));
  return html`${pageHead(`${title}: ${report.server}`)}
<body>
<header class="top">
<h1>${title}</h1>
<p class="verdicts">${badges.map(({ level, kind, words }) => html`<span class="badge ${kind}">${level}: ${words}</span>`)}</p>
<dl class="run">${facts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${command(report.command, 'Command of this exploration')}
${ownSettingsPart(report.ownSettings)}
<p class="quiet">${ABOUT[report.of ?? 'exploration']} Nothing is instrumented. A part of <a href="${runPage}">the run</a>.</p>
</header>
<main>
${report.levels.map((level, l) => levelSection(level, part.levels[l]?.findings.map(exploredFindingWords) ?? []))}
${report.levels.some(({ together }) => together !== undefined) ? html`<h2>Together</h2>${lines(togetherLines(report, (_, text) => text))}` : null}
${report.lacking.length > 0 ? html`<p class="quiet">Forms that the server lacks: ${report.lacking.join(', ')}</p>` : null}
${(report.unjudged ?? []).map((each) => html`<p class="quiet">Invariant not asked: ${each}</p>`)}
${report.endedEarly === undefined ? null : html`<h2>Ended early</h2><p>${exploredIncomplete(report, report.endedEarly)}</p>`}
${glossarySection()}
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.markup;
}

function levelSection(level: ExploreLevel, words: readonly string[]): Markup {
  return html`<h2>${level.level}</h2>
${lines([...ownBreaksLines(level), ...exploreSummary(level)])}
${worstFirst(level).map((family, f) => familyPart(family, `${level.level}-${f + 1}`, words[f] ?? family.name, f === 0))}`;
}

function familyPart(family: ExploreFamily, id: string, words: string, open: boolean): Markup {
  const { verdict, example, named } = family;
  const rank = rankOf(family);
  return html`<div class="finding outcome ${verdict}" id="${id}"><details${open ? html` open` : null}><summary><span class="badge ${rank}" data-term="${verdict}">${verdictWord(family)}</span><span class="name">${words}</span></summary><div class="body" data-drawn="yes">
${named === undefined ? null : html`<p>${named.shapes.map((shape) => html`${term(shape)}, `)}${term(named.class)}</p>`}
${exploredLanes(example.lines)}
${command(example.command, 'Command that runs this program alone')}
<div class="file"><button type="button" class="copy" data-copy>Copy</button>${lines(familyLines(family, (_, text) => text).slice(1))}</div></div></details><span class="acts"><a href="#${id}" title="Link to this outcome" aria-label="Link to this outcome">#</a></span></div>`;
}

function lines(text: readonly string[]): Markup {
  return html`<pre>${text.join('\n')}</pre>`;
}

function facts(report: ExploreReport): readonly (readonly [string, string])[] {
  return [
    ['target', report.target],
    ['server', report.server],
    ['seed', report.seed],
    ['workers', String(report.workers)],
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}
