/**
 * report.html: one file that loads nothing. Style and script stand in it; a content security policy lets no other
 * script run and nothing be fetched, whatever a table name holds. The page is complete without the script, which only
 * lights an edge together with its statements and opens or closes all findings.
 */
import type { Report, Reporter } from '../../core/index.ts';
import { families, familyTable, lineTable } from '../run/families.ts';
import { exploredStanding, exploredWords } from '../run/explored.ts';
import { numberedFindings, paperTable, standing } from '../run/figures.ts';
import { findingFiles, withFiles } from '../repro/files.ts';
import { counted } from '../text/words.ts';
import { exploredSection } from './explored-section.ts';
import { findingSection } from './finding-section.ts';
import { htmlTable } from './html-table.ts';
import { levelCard } from './level-card.ts';
import { html, trusted, type Markup } from './markup.ts';
import { ratesSection } from './rates-section.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';

/** Findings with a timeline: 20 to 40 kB each, so a page of many findings stays at a megabyte. */
const DRAWN_FINDINGS = 50;
const OPEN_FINDINGS = 3;

export const htmlReporter: Reporter = (report, sink) => {
  sink.write('report.html', page(report).markup);
};

function page(report: Report): Markup {
  const findings = numberedFindings(report);
  const lines = lineTable(report);
  const all = findings.length + (report.listed?.length ?? 0);
  const filed = new Set(withFiles(report).map(({ finding }) => finding));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${trusted(SCRIPT_HASH)}'">
<title>Anomalist report ${report.runId}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header class="top">
<h1>Anomalist report</h1>
<p class="verdicts">${report.levels.map((level) => html`<span class="badge ${standing(level).kind}">${level.target} ${level.level}: ${standing(level).kind === 'clean' ? 'nothing seen' : standing(level).kind}</span>`)}${(report.explored?.levels ?? []).map((level) => html`<a class="badge ${exploredStanding(level).kind}" href="#explored">${exploredWords(report.explored!).short} ${level.level}: ${exploredStanding(level).kind === 'clean' ? 'nothing seen' : exploredStanding(level).kind}</a>`)}</p>
<dl class="run">${facts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<pre class="replay" tabindex="0" aria-label="Command of this run"><code>${report.command}</code></pre>
</header>
<main>
<h2>Levels</h2>
<div class="cards">${report.levels.map(levelCard)}</div>
${ratesSection(report)}
${report.explored === undefined ? null : exploredSection(report.explored)}
<h2>Anomalies per level</h2>
<p class="quiet">Anomalies, and in brackets how many distinct fingerprints they have.</p>
${htmlTable(paperTable(report), 'Anomalies per level')}
<div class="findings-head"><h2>Findings <span class="count">${all}</span></h2>${findings.length > 1 ? html`<p class="tools"><button type="button" data-all="open">Open all</button> <button type="button" data-all="close">Close all</button></p>` : null}</div>
${findings.length === 0 ? html`<p class="quiet">No findings. What that is worth depends on the coverage above.</p>` : null}
${all > families(report).length ? html`<p class="quiet">In families: one class, one name, one ring of edges, whatever the statements.</p>${htmlTable(familyTable(report), 'Findings in families')}` : null}
${findings.length > DRAWN_FINDINGS ? html`<p class="quiet">${counted(findings.length, 'finding')}: the first ${DRAWN_FINDINGS} have a timeline, all have their cycle, explanation and setup.</p>` : null}
${findings.map((numbered, index) => findingSection(numbered, { open: index < OPEN_FINDINGS, drawn: index < DRAWN_FINDINGS, files: filed.has(numbered.finding) ? findingFiles(report, numbered.finding, numbered.n) : [] }))}
${lines ? html`<h2>A line each</h2><p class="quiet">The documents allow them, and another one of their family is told in full.</p>${htmlTable(lines, 'Findings that are a line each')}` : null}
${report.notes.length > 0 ? html`<h2>Notes</h2><ul class="notes">${report.notes.map((note) => html`<li>${note}</li>`)}</ul>` : null}
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
}

function facts(report: Report): readonly (readonly [string, string])[] {
  return [
    ['run', report.runId],
    ['seed', report.seed],
    ['mode', `${report.mode}, ${report.instrument}`],
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}
