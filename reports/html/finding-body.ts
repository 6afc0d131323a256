/**
 * One finding, open: what it is, the vendor's promise with its source, the sessions' timeline and beside it the cycle,
 * whose edges are explained in a sentence each, then the reproduction, files, row versions and setup.
 */
import { isAnomaly } from '../../core/index.ts';
import type { AnomalyFinding, Finding, ListedFinding, ProgramFinding } from '../../core/index.ts';
import { explanationOfProgram } from '../finding/facts.ts';
import { findingFile } from '../finding/json.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import type { FindingFile } from '../repro/files.ts';
import type { NumberedAnomaly, NumberedFinding, NumberedLine } from '../run/figures.ts';
import { brokenSentence } from '../run/invariant-lines.ts';
import { explanationOf } from '../text/in-users-rows.ts';
import { clip, clipFront } from '../text/visible.ts';
import { bareReplaySentence, counted, promiseSentence, sourceWords } from '../text/words.ts';
import { command } from './command.ts';
import { cycleGraph } from './cycle-graph.ts';
import { edgeList } from './edge-list.ts';
import { term, termNames } from './glossary.ts';
import { lights } from './lights.ts';
import { html, type Markup } from './markup.ts';
import { picture } from './picture.ts';
import { copySection, reproductionSection } from './reproduction-section.ts';
import { exploredLanes } from './step-lanes.ts';

/** Rows of the table of versions; the JSON file has the rest. */
const SHOWN_VERSIONS = 30;
const SHOWN_LIST = 120;
const SHOWN_SETUP = 20_000;

/** `files`: to copy from; `broken`: names of invariants. */
export function findingBody({ n, finding }: NumberedFinding, files: readonly FindingFile[], broken: readonly string[] = []): Markup {
  return isAnomaly(finding) ? anomalyBody({ n, finding }, files, broken) : programBody({ n, finding }, files, broken);
}

function anomalyBody({ n, finding }: NumberedAnomaly, files: readonly FindingFile[], broken: readonly string[]): Markup {
  // The reduced case where there is one: it is what a reader wants to see.
  const shown = asReplayed(finding);
  return html`${command(finding.replay, 'Command that replays this finding')}
<p class="explanation">${explanationOf(shown)}</p>
${broken.length === 0 ? null : html`<p>${brokenSentence(broken)}</p>`}
${promise(finding)}
<p class="bare${finding.bareReplay === undefined ? ' none' : ''}">${bareReplaySentence(finding)}</p>
${finding.reproduction === undefined ? null : html`<p class="quiet">Drawn is the ${finding.reproduction.reduction === undefined ? 'replayed' : 'reduced'} case as it was replayed. What was found in round ${finding.round} is in ${findingFile(n)}.</p>`}
${picture(shown)}
${facts(finding)}
${reproductionSection(finding)}
${copySection(finding, files)}
${versionTable(shown)}${setup(shown, n)}`;
}

/** Its steps are drawn with the reproduction: they are what was sent. */
function programBody(
  { n, finding }: { readonly n: number; readonly finding: ProgramFinding },
  files: readonly FindingFile[],
  broken: readonly string[],
): Markup {
  const { example } = finding.family;
  return html`${command(finding.replay, 'Command that replays this finding')}
<p class="explanation">${explanationOfProgram(finding)}</p>
${broken.length === 0 ? null : html`<p>${brokenSentence(broken)}</p>`}
${promise(finding)}
<p class="bare">${bareReplaySentence(finding)}</p>
${programFacts(finding)}
${reproductionSection(finding)}
${finding.replay === example.command ? null : command(example.command, 'Command that runs this program alone, in every order')}
${copySection(finding, files)}
${example.plain === undefined ? exploredLanes(example.lines) : setup({ setup: example.plain.setup, uninstrumented: true }, n)}`;
}

/** Of a finding that is a line only the anomaly itself is kept. `like`: the one of its family that is told in full. */
export function lineBody({ finding }: NumberedLine, like: number | undefined): Markup {
  const shown = { ...finding, statements: [] };
  const lit = lights(shown);
  return html`${command(finding.replay, 'Command that runs this round again')}
<p class="explanation">${finding.anomaly.explanation}</p>
${promise(finding)}
<p class="quiet">The documents allow it, and its statements are in the run’s history alone.${like === undefined ? null : html` One of its family is told in full: <a href="#finding-${like}">finding ${like}</a>.`}</p>
<section class="graph" aria-label="Cycle">${cycleGraph(shown, lit)}${edgeList(shown, lit)}</section>
${facts(finding)}`;
}

function promise(finding: ListedFinding | Finding): Markup {
  const { verdict, row } = finding.judgement;
  const source = row === undefined ? null : html`<cite>${linked(sourceWords(row))}</cite>`;
  return html`<blockquote class="promise ${verdict}"><p>${promiseSentence(finding)}</p>${source}</blockquote>`;
}

/** A source's https address as a link; nothing is loaded until it is followed. */
function linked(source: string): Markup {
  const found = /https:\/\/[^\s"'<>`)]+/.exec(source);
  if (found === null) return html`${source}`;
  return html`${source.slice(0, found.index)}<a href="${found[0]}" rel="noreferrer noopener">${found[0]}</a>${source.slice(found.index + found[0].length)}`;
}

function facts({ anomaly, round, id }: ListedFinding): Markup {
  return html`<dl class="facts"><dt>violates</dt><dd>${anomaly.levels.join(', ')}</dd><dt>is a</dt><dd>${termNames(anomaly.shapes, anomaly.class)}</dd><dt>found in</dt><dd>round ${round}, id ${clip(id, 80)}</dd><dt>${term('fingerprint')}</dt><dd><code>${anomaly.fingerprint}</code></dd></dl>`;
}

function programFacts({ family: { named, oneOf, breach, programs }, id, fingerprint }: ProgramFinding): Markup {
  const kind = named === undefined ? (breach ?? `one of ${oneOf.join(', ')}`) : termNames(named.shapes, named.class);
  return html`<dl class="facts"><dt>is a</dt><dd>${kind}</dd><dt>found in</dt><dd>${counted(programs, 'small program')}, id ${clip(id, 80)}</dd><dt>${term('fingerprint')}</dt><dd><code>${fingerprint}</code></dd></dl>`;
}

function versionTable(finding: AnomalyFinding): Markup | null {
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

function setup(finding: Pick<AnomalyFinding, 'setup' | 'uninstrumented'>, n: number): Markup {
  const sql = finding.setup.join('\n');
  return html`<details class="more file"><summary>Setup SQL, as sent${finding.uninstrumented === true ? null : ' (with the auxiliary columns)'}</summary><button type="button" class="copy" data-copy>Copy</button><pre tabindex="0"><code>${clip(sql, SHOWN_SETUP)}</code></pre>${sql.length > SHOWN_SETUP ? html`<p class="quiet">Cut; ${findingFile(n)} has all of it.</p>` : null}</details>`;
}
