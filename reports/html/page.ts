/**
 * report.html: one file that loads nothing. Style and script stand in it; a content security policy lets no other
 * script run and nothing be fetched, whatever a table name holds. First what the run comes to and its worst case, drawn;
 * then all findings in their families; then what the answer rests on, level by level. What an open finding shows is
 * packed behind the page and drawn when it is opened, so that a page of thousands is there at once.
 */
import type { Report, Reporter } from '../../core/index.ts';
import { families } from '../run/families.ts';
import { numberedFindings, numberedLines, paperTable } from '../run/figures.ts';
import { findingFiles, withFiles } from '../repro/files.ts';
import { findingText } from '../text/finding-text.ts';
import { answerSection } from './answer-section.ts';
import { command } from './command.ts';
import { exploredSection } from './explored-section.ts';
import { facetsOf } from './facets.ts';
import { brokenInvariants } from '../run/invariant-lines.ts';
import { familiesSection } from './families-section.ts';
import { findingBody, lineBody } from './finding-body.ts';
import { glossarySection } from './glossary.ts';
import { htmlTable } from './html-table.ts';
import { levelCard } from './level-card.ts';
import { html, trusted, type Markup } from './markup.ts';
import { dataBlock, packedBlocks, type Folded } from './packed.ts';
import { ratesSection } from './rates-section.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';
import { noteText } from '../notes/words.ts';

export const htmlReporter: Reporter = (report, sink) => {
  sink.write('report.html', page(report).markup);
};

function page(report: Report): Markup {
  const all = families(report);
  const facets = facetsOf([...numberedFindings(report), ...numberedLines(report)]);
  return html`${pageHead(`Anomalist report ${report.runId}`)}
<body>
<header class="top line">
<h1>Anomalist report</h1>
<dl class="run">${facts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>
<main>
${answerSection(report, facets)}
${familiesSection(report, all, facets)}
<h2>Levels</h2>
<div class="cards">${report.levels.map((level) => levelCard(report, level))}</div>
${ratesSection(report)}
${report.explored === undefined ? null : exploredSection(report.explored)}
<h2>Anomalies per level</h2>
<p class="quiet">Anomalies, and in brackets how many distinct fingerprints they have.</p>
${htmlTable(paperTable(report), 'Anomalies per level')}
<h2>This run</h2>
${command(report.command, 'Command of this run')}
${report.notes.length > 0 ? html`<h3>Notes</h3><ul class="notes">${report.notes.map((note) => html`<li>${noteText(note)}</li>`)}</ul>` : null}
${glossarySection()}
</main>
${facets.rows.length === 0 ? null : dataBlock('index', { rows: facets.rows })}<script>${trusted(SCRIPT)}</script>
${packedBlocks(foldedFindings(report))}</body>
</html>
`;
}

/** Up to the body. The policy lets the page's own script run and nothing else. */
export function pageHead(title: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${trusted(SCRIPT_HASH)}'">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>`;
}

/** One after the other: of thousands all at once would fill the memory. */
function* foldedFindings(report: Report): Generator<Folded> {
  const filed = new Map(withFiles(report).map((each) => [each.n, each.finding]));
  for (const numbered of numberedFindings(report)) {
    const { n, finding } = numbered;
    const withCase = filed.get(n);
    const files = withCase === undefined ? [] : findingFiles(report, withCase, n);
    yield { n, body: findingBody(numbered, files, brokenInvariants(report, finding)), text: findingText(n, finding) };
  }
  const inFull = new Map(families(report).flatMap(({ findings, lines }) => lines.map(({ n }) => [n, findings[0]?.n] as const)));
  for (const line of numberedLines(report))
    yield { n: line.n, body: lineBody(line, inFull.get(line.n)), text: findingText(line.n, line.finding) };
}

function facts(report: Report): readonly (readonly [string, string])[] {
  return [
    ['run', report.runId],
    ['server', [...new Set(report.levels.map(({ target, server }) => `${target}: ${server}`))].join('; ')],
    ['seed', report.seed],
    ['mode', `${report.mode}, ${report.instrument}`],
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}
