/**
 * Writes the matrix as one page that loads nothing and runs no script. A cell is a link, and the row under it shows the
 * transcript that the link names (:target). On a narrow screen each schedule is a card.
 */
import { html, trusted, type Markup } from '../html/markup.ts';
import { ownSettingsPart } from '../html/own-settings.ts';
import { STYLE } from '../html/style.ts';
import type { MatrixCell, MatrixReport, MatrixSchedule, TranscriptLine } from './report.ts';
import { MATRIX_STYLE } from './style.ts';
import type { SummaryCell } from './words.ts';
import {
  LEGEND,
  PROMISE_WORDS,
  bareSentence,
  conclusion,
  lineOutcome,
  observedSentence,
  observedWord,
  promisedSentence,
  summaryCell,
} from './words.ts';
import { sourceWords } from '../text/words.ts';
import { noteText } from '../notes/words.ts';

/** The page has room for words where the tables have letters. */
const PAGE_WORDS: Readonly<Record<string, string>> = { X: 'must not', d: 'may', u: 'silent' };

export function matrixHtml(report: MatrixReport): string {
  const settings = Object.entries(report.configuration)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  const bad = report.phenomena.some(({ schedules }) => schedules.some(({ cells }) => cells.some((cell) => cell.verdict === 'contradicts')));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Isolation matrix: ${report.server}</title>
<style>${trusted(STYLE)}${trusted(MATRIX_STYLE)}</style>
</head>
<body>
<header class="top">
<h1>Isolation matrix</h1>
<p class="verdicts"><span class="badge ${bad ? 'bug' : 'clean'}">${conclusion(report)}</span></p>
<dl class="run"><div><dt>server</dt><dd>${report.server}</dd></div><div><dt>target</dt><dd>${report.target}</dd></div>${settings === '' ? null : html`<div><dt>configuration</dt><dd>${settings}</dd></div>`}<div><dt>started</dt><dd>${report.startedAt}</dd></div><div><dt>took</dt><dd>${report.seconds.toFixed(1)} s</dd></div><div><dt>tool</dt><dd>${report.tool}</dd></div></dl>
<pre class="replay" tabindex="0" aria-label="Command of this matrix"><code>${report.command}</code></pre>
${ownSettingsPart(report.ownSettings)}
</header>
<main>
<p class="quiet">Each cell says what was observed and what the vendor promises; follow it to its transcript.</p>
<table class="matrix">
<thead><tr><th scope="col">schedule</th>${report.levels.map(({ level, aliasOf }) => html`<th scope="col">${level}${aliasOf ? html`<small>runs as ${aliasOf}</small>` : null}</th>`)}</tr></thead>
${report.phenomena.map(
  (phenomenon, p) => html`<tbody>
<tr class="phenomenon"><th scope="rowgroup"><b>${phenomenon.phenomenon}</b> ${phenomenon.title}</th>${report.levels.map(({ level }, l) => html`<td data-level="${level}">${summary(summaryCell(phenomenon, l))}</td>`)}</tr>
${phenomenon.schedules.map((schedule, s) => scheduleRows(schedule, `${p}-${s}`))}
</tbody>`,
)}
</table>
<h2>Signs</h2>
<dl class="legend">${LEGEND.map(([word, meaning]) => [PAGE_WORDS[word] ?? word, meaning]).map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>
${report.notes.length > 0 ? html`<h2>Notes</h2><ul class="notes">${report.notes.map((note) => html`<li>${noteText(note)}</li>`)}</ul>` : null}
</main>
</body>
</html>
`.markup;
}

function scheduleRows(schedule: MatrixSchedule, id: string): Markup {
  const { cells } = schedule;
  return html`<tr class="schedule" id="r${id}"><th scope="row">${schedule.name}<small>${schedule.title} · ${schedule.variant}</small></th>${cells.map((cell, l) => html`<td data-level="${cell.level}"><a class="cell ${colour(cell)}" href="#c${id}-${l}"><span>${observedWord(cell)}</span><small>${PROMISE_WORDS[cell.promised]}</small></a></td>`)}</tr>
<tr class="unfold"><td colspan="${cells.length + 1}">${cells.map((cell, l) => transcript(schedule, cell, id, l))}</td></tr>
`;
}

function summary({ most, mixed, verdict }: SummaryCell): Markup {
  if (most === undefined) return html`<span class="sum">not run</span>`;
  return html`<span class="sum ${verdict}"><b>${observedWord(most)}</b> ${PROMISE_WORDS[most.promised]}${mixed ? '*' : ''}</span>`;
}

/** Colours a cell by what a reader must do about it: look (contradicts, open), know (occurs), or nothing. */
function colour(cell: MatrixCell): string {
  if (cell.verdict === 'contradicts') return 'bug';
  if (cell.verdict === 'open' || cell.observed === 'unknown') return 'inconclusive';
  if (cell.observed === 'occurs') return cell.promised === 'documented' ? 'documented' : 'undocumented';
  return cell.observed === 'absent' ? 'plain' : 'clean';
}

function transcript(schedule: MatrixSchedule, cell: MatrixCell, id: string, l: number): Markup {
  const sessions = Math.max(1, ...cell.outcomes.map(({ session }) => session));
  return html`<section class="transcript" id="c${id}-${l}" tabindex="-1">
<p class="head"><b>${schedule.name} at ${cell.level}</b><a href="#r${id}">close</a></p>
<p>${schedule.title} <span class="quiet">(${schedule.source})</span></p>
<p class="explanation"><span class="badge ${colour(cell)}">${observedWord(cell)}</span> ${observedSentence(cell)}</p>
<blockquote class="promise ${promiseColour(cell)}"><p>${promisedSentence(cell)}</p>${cell.source === '' ? null : html`<cite>${sourceWords(cell)}</cite>`}</blockquote>
${cell.bare === undefined ? null : html`<p class="bare">${bareSentence(cell)}</p>`}
${schedule.start.map((table) => html`<pre class="start"><code>${table}</code></pre>`)}
<ol class="script" style="--sessions:${sessions}">${cell.transcript.map(scriptLine)}</ol>
<p class="quiet">${cell.outcomes.map(({ txn, session, outcome }) => `T${txn} (session ${session}) ${outcome}`).join(', ')}</p>
${[...cell.found, ...cell.others].map((found) => html`<div class="found"><p><span class="badge ${found.verdict}">${found.verdict}</span> ${found.explanation}</p><ol>${found.edges.map((edge) => html`<li>${edge}</li>`)}</ol></div>`)}
</section>
`;
}

function promiseColour({ promised }: MatrixCell): string {
  return { 'must not occur': 'bug', documented: 'documented', silent: 'undocumented' }[promised];
}

function scriptLine(line: TranscriptLine, row: number): Markup {
  const state = line.error ? 'failed' : line.state === 'waits' ? 'blocked' : 'fine';
  return html`<li class="t${(line.session - 1) % 6} ${state}" style="--lane:${line.session};--row:${row + 1}"><b>S${line.session} T${line.txn}</b> <code>${line.sql}</code> <span>${lineOutcome(line)}</span></li>`;
}
