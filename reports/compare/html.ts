/** Writes a comparison as one page that loads nothing: the table, then each line with its variants, a column for each session. */
import { command } from '../html/command.ts';
import { html, trusted, type Markup } from '../html/markup.ts';
import { ownSettingsPart } from '../html/own-settings.ts';
import { pageHead } from '../html/page.ts';
import { SCRIPT } from '../html/script.ts';
import { exploredLanes } from '../html/step-lanes.ts';
import type { CompareLevel, CompareLine, CompareReport } from './report.ts';
import { reproductionLines } from './text.ts';
import { comparedIncomplete, leftOut, letterOf, levelSentence, namesOf, titleOf, variantWords } from './words.ts';

export function compareHtml(report: CompareReport): string {
  const { targets, levels, lacking } = report;
  return html`${pageHead(`Comparison of ${targets.length} servers`)}
<body>
<header class="top">
<h1>What differs between these servers</h1>
<dl class="run">${targets.map(({ name, server }) => html`<div><dt>${name}</dt><dd>${server}</dd></div>`)}<div><dt>seed</dt><dd>${report.seed}</dd></div><div><dt>started</dt><dd>${report.startedAt}</dd></div><div><dt>took</dt><dd>${report.seconds.toFixed(0)} s</dd></div><div><dt>tool</dt><dd>${report.tool}</dd></div></dl>
${command(report.command, 'Command of this comparison')}
${targets.flatMap(({ name, ownSettings }) => ownSettingsPart(ownSettings, name) ?? [])}
<p class="quiet">The same programs in the same orders on each of them; nothing is instrumented. A difference is told where each server did the same each time.</p>
</header>
<main>
${levels.map((level) => levelSection(report, level))}
${lacking.length > 0 ? html`<p class="quiet">Forms that not all of them have: ${lacking.join(', ')}</p>` : null}
${report.endedEarly === undefined ? null : html`<h2>Ended early</h2><p>${comparedIncomplete(report.levels, report.endedEarly)}</p>`}
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.markup;
}

function levelSection(report: CompareReport, level: CompareLevel): Markup {
  return html`<h2>${levelSentence(level, report.targets.length)}</h2>
${leftOut(level).map((line) => html`<p class="quiet">${line}</p>`)}
${
  level.lines.length === 0
    ? null
    : html`<div class="wide"><table>
<thead><tr><th scope="col"></th><th scope="col">what</th>${report.targets.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${level.lines.map((line, n) => row(report, line, `${level.level}-${n + 1}`, n + 1))}</tbody>
</table></div>`
}
${level.lines.map((line, n) => section(report, line, `${level.level}-${n + 1}`, n + 1))}`;
}

function row({ targets }: CompareReport, line: CompareLine, id: string, n: number): Markup {
  const variantAt = (t: number): number => line.variants.findIndex((variant) => variant.targets.includes(t));
  return html`<tr><td><a href="#${id}">${n}</a></td><td>${titleOf(line)}</td>${targets.map((_, t) => html`<td>${variantAt(t) === -1 ? 'varies' : letterOf(variantAt(t))}</td>`)}</tr>`;
}

function section(report: CompareReport, line: CompareLine, id: string, n: number): Markup {
  return html`<div class="finding outcome" id="${id}"><details${n === 1 ? html` open` : null}><summary><span class="name">${n}. ${titleOf(line)}</span></summary><div class="body" data-drawn="yes">
${line.variants.map(
  (variant, v) => html`<p><b>${letterOf(v)}</b> ${namesOf(report, variant.targets)}: ${variantWords(line, variant)}</p>
${variant.says === undefined || variant.says === '' ? null : html`<blockquote class="promise ${variant.verdict ?? ''}"><p>${variant.says}</p><cite>${variant.source ?? ''}</cite></blockquote>`}
${exploredLanes(variant.example.lines)}`,
)}
${line.varies.length === 0 ? null : html`<p>Not the same each time: ${namesOf(report, line.varies)}</p>`}
${command(line.command, 'Command that runs this program alone')}
<div class="file"><button type="button" class="copy" data-copy>Copy</button><pre>${reproductionLines(line).join('\n')}</pre></div></div></details></div>`;
}
