/**
 * One finding of the page: the replay command, what it is, the vendor's promise with its source, the sessions' timeline
 * and beside it the cycle, whose edges are explained in a sentence each, then row versions and setup.
 */
import type { Finding } from '../../core/index.ts';
import { findingFile } from '../finding/json.ts';
import { asReplayed } from '../repro/files.ts';
import type { FindingFile } from '../repro/files.ts';
import type { NumberedFinding } from '../run/figures.ts';
import { clip, clipFront } from '../text/visible.ts';
import { anomalyName, bareReplaySentence, grouped, promiseSentence, sourceWords, stepRow } from '../text/words.ts';
import { cycleGraph } from './cycle-graph.ts';
import { derivation } from './derivation.ts';
import { lights, type Lights } from './lights.ts';
import { html, type Markup } from './markup.ts';
import { copySection, reproductionSection } from './reproduction-section.ts';
import { timeline } from './timeline.ts';

/** Rows of the table of versions; the JSON file has the rest. */
const SHOWN_VERSIONS = 30;
const SHOWN_LIST = 120;
const SHOWN_SETUP = 20_000;
/** With more sessions than this the timeline takes the whole width and the cycle stands above it. */
const LANES_BESIDE = 3;

export interface SectionOptions {
  readonly open: boolean;
  /** False: the page has drawn enough; text and edges only. */
  readonly drawn: boolean;
  /** To copy from. */
  readonly files: readonly FindingFile[];
}

export function findingSection({ n, finding }: NumberedFinding, options: SectionOptions): Markup {
  const { anomaly, judgement } = finding;
  // The reduced case where there is one: it is what a reader wants to see.
  const shown = asReplayed(finding);
  const lit = lights(shown);
  const lanes = options.drawn ? new Set(shown.statements.map((statement) => statement.session)).size : 0;
  return html`<details class="finding" id="finding-${n}" data-verdict="${judgement.verdict}"${options.open ? html` open` : null}>
<summary><span class="n">${n}</span><span class="badge ${judgement.verdict}">${judgement.verdict}</span><span class="name">${anomalyName(anomaly)}</span><span class="where">${finding.target} at ${finding.level} · ${finding.count === 1 ? 'once' : `${grouped(finding.count)} times`}</span></summary>
<div class="body">
<pre class="replay" tabindex="0" aria-label="Command that replays this finding"><code>${finding.replay}</code></pre>
<p class="explanation">${shown.anomaly.explanation}</p>
${promise(finding)}
${reproductionSection(finding)}
${finding.reproduction === undefined ? null : html`<p class="quiet">Below: the ${finding.reproduction.reduction === undefined ? 'replayed' : 'reduced'} case with its auxiliary columns, as replayed. What was found in round ${finding.round} is in ${findingFile(n)}.</p>`}
<div class="picture${lanes > LANES_BESIDE ? ' wide' : ''}">
<section class="time" aria-label="Timeline"><h3>Sessions, in observed order</h3>${options.drawn ? timeline(shown, lit) : html`<p class="quiet">The timeline is not drawn, to keep this page small: see ${findingFile(n)} or report.md.</p>`}</section>
<section class="graph${shown.anomaly.cycle.length <= 3 ? ' short' : ''}" aria-label="Cycle"><h3>Dependency cycle</h3>${cycleGraph(shown, lit)}${edgeList(shown, lit, options.drawn)}${facts(finding)}</section>
</div>
${copySection(finding, options.files)}
${options.drawn ? versionTable(shown) : null}${setup(shown, n)}
</div></details>`;
}

function promise(finding: Finding): Markup {
  const { verdict, row } = finding.judgement;
  const source = row === undefined ? null : html`<cite>${linked(sourceWords(row))}</cite>`;
  return html`<blockquote class="promise ${verdict}"><p>${promiseSentence(finding)}</p>${source}</blockquote>
<p class="bare${finding.bareReplay === undefined ? ' none' : ''}">${bareReplaySentence(finding)}</p>`;
}

/** A source's https address as a link; nothing is loaded until it is followed. */
function linked(source: string): Markup {
  const found = /https:\/\/[^\s"'<>`)]+/.exec(source);
  if (found === null) return html`${source}`;
  return html`${source.slice(0, found.index)}<a href="${found[0]}" rel="noreferrer noopener">${found[0]}</a>${source.slice(found.index + found[0].length)}`;
}

function edgeList(finding: Finding, lit: Lights, unfolds: boolean): Markup | null {
  const { cycle } = finding.anomaly;
  if (cycle.length === 0) return null;
  return html`<ol class="edges">${cycle.map((step, index) => html`<li tabindex="0" data-key="${lit.edgeKey(index)}" data-lights="${lit.ofEdge(index)}"><b class="pair"><span>T${step.from}</span> <i class="${step.rel}">${step.rel}</i> <span>T${step.to}</span></b>${stepRow(step) === undefined ? null : html`<span class="row">${clip(stepRow(step) ?? '', 80)}${step.readPoint === undefined ? '' : `, ${step.readPoint} read`}</span>`}<p>${step.explanation}</p>${unfolds ? derivation(finding, step) : null}</li>`)}</ol>`;
}

function facts(finding: Finding): Markup {
  const { anomaly } = finding;
  return html`<dl class="facts"><dt>violates</dt><dd>${anomaly.levels.join(', ')}</dd><dt>class</dt><dd>${anomaly.class}</dd><dt>found in</dt><dd>round ${finding.round}, id ${clip(finding.id, 80)}</dd><dt>fingerprint</dt><dd><code>${anomaly.fingerprint}</code></dd></dl>`;
}

function versionTable(finding: Finding): Markup | null {
  const rows = finding.statements.flatMap((statement) =>
    statement.versions.map(
      (version) =>
        html`<tr><td>T${statement.txn}</td><td>${statement.kind}</td><td>${version.role}</td><td>${version.table}</td><td><code>${version.rid}</code></td><td><code>${clipFront(version.list, SHOWN_LIST)}</code></td></tr>`,
    ),
  );
  const all = finding.statements.reduce((sum, { versions, versionsLeftOut = 0 }) => sum + versions.length + versionsLeftOut, 0);
  if (rows.length === 0) return null;
  const left = all - Math.min(SHOWN_VERSIONS, rows.length);
  return html`<details class="more"><summary>Row versions observed (${all})</summary><div class="scroll" tabindex="0" role="group" aria-label="Row versions"><table><thead><tr><th>txn</th><th>statement</th><th>role</th><th>table</th><th>row</th><th>write list</th></tr></thead><tbody>${rows.slice(0, SHOWN_VERSIONS)}</tbody></table></div>${left > 0 ? html`<p class="quiet">${left} more are not here; the finding’s JSON file has more, and the history has all.</p>` : null}</details>`;
}

function setup(finding: Finding, n: number): Markup {
  const sql = finding.setup.join('\n');
  return html`<details class="more"><summary>Setup SQL</summary><pre tabindex="0"><code>${clip(sql, SHOWN_SETUP)}</code></pre>${sql.length > SHOWN_SETUP ? html`<p class="quiet">Cut; ${findingFile(n)} has all of it.</p>` : null}</details>`;
}
