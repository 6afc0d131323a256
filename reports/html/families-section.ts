/**
 * All findings, nested under their families: a family is a line that opens to its findings, a finding a line that opens
 * to all that is told of it. What an open finding shows is packed (packed.ts) and drawn when it is opened.
 */
import type { Report } from '../../core/index.ts';
import { findingName, isProgram, shortName, transactionsOf, type AnyFinding } from '../finding/facts.ts';
import type { Family } from '../run/families.ts';
import type { NumberedFinding, NumberedLine } from '../run/figures.ts';
import { counted, grouped } from '../text/words.ts';
import { chips, type Facets } from './facets.ts';
import { termOf } from './glossary.ts';
import { legend } from './legend.ts';
import { html, type Markup } from './markup.ts';

/** The first family is open where its findings are few. */
const FEW = 12;

export function familiesSection(report: Report, all: readonly Family[], facets: Facets): Markup {
  const count = facets.rows.length;
  if (count === 0)
    return html`<h2 id="findings">Findings</h2><p class="quiet">No findings. What that is worth depends on the coverage below.</p>`;
  return html`<div class="findings-head"><h2 id="findings">Findings <span class="count">${grouped(count)}</span></h2><p class="tools"><button type="button" data-all="open">Open all families</button> <button type="button" data-all="close">Close all</button></p></div>
<p class="quiet">In families: one class, one name, one ring of edges, whatever the statements. A family opens to its findings, a finding to its timeline and its dependencies.</p>
<div class="find" role="search"><input type="search" id="search" placeholder="Search: SQL, tables, names, T12, #3 ( / )" aria-label="Search findings" autocomplete="off" spellcheck="false"><output id="matches" aria-live="polite">${counted(count, 'finding')}</output><button type="button" id="clear" hidden>Clear</button></div>
${chips(facets)}
${legend()}
<noscript><p class="quiet">Findings open by a script that this browser does not run: report.md and the finding’s JSON file tell them.</p></noscript>
<div class="families">${all.map((family, i) => familyPart(report, family, i === 0 && family.findings.length + family.lines.length <= FEW))}</div>
<p class="quiet" id="nothing" hidden>No finding has all of this. <button type="button" data-clear>Show all</button></p>`;
}

function familyPart(report: Report, family: Family, open: boolean): Markup {
  const { name, edges, target, level, verdict, findings, lines, anomalies, counts } = family;
  const members = findings.length + lines.length;
  const where = new Set(report.levels.map((each) => each.target)).size > 1 ? `${target} ${level}` : level;
  return html`<details class="family ${verdict}"${open ? html` open` : null}><summary><span class="badge ${verdict}" data-term="${verdict}">${verdict}</span><span class="name">${name}</span>${edges === '' ? null : html`<span class="ring" aria-label="edges ${edges}">${edges.split(' ').map((edge) => html`<i data-term="${edge}">${edge}</i>`)}</span>`}<span class="where">${where} · <span class="of">${counted(members, 'finding')}</span> · ${counts === 'programs' ? counted(anomalies, 'program') : counted(anomalies, 'anomaly', 'anomalies')}</span></summary>
<div class="members">${[...findings, ...lines].map(findingRow)}</div></details>
`;
}

/** The line of a finding; its link and its copy button stand beside what opens it. */
function findingRow({ n, finding }: NumberedFinding | NumberedLine): Markup {
  const { judgement, count } = finding;
  const whole = isProgram(finding) || 'statements' in finding;
  const transactions = isProgram(finding) ? transactionsOf(finding) : finding.transactions;
  const times = isProgram(finding) ? `by ${counted(count, 'program')}` : count === 1 ? 'once' : `${grouped(count)} times`;
  return html`<div class="finding" id="finding-${n}" data-verdict="${judgement.verdict}"><details><summary><span class="n">${n}</span><span class="name"${attribute(termOf(shortName(finding)))}>${findingName(finding)}</span><span class="what">${tables(finding)}${transactions.map(({ id, name }) => (name === undefined ? `T${id}` : `T${id} ${name}`)).join(', ')}</span><span class="where">${times}${whole ? '' : ', in brief'}</span></summary><div class="body"></div></details><span class="acts"><a href="#finding-${n}" title="Link to finding ${n}" aria-label="Link to finding ${n}">#</a><button type="button" data-copy-finding="${n}" aria-label="Copy finding ${n} as text">Copy</button></span></div>
`;
}

function attribute(word: string | undefined): Markup | null {
  return word === undefined ? null : html` data-term="${word}"`;
}

function tables(finding: AnyFinding): string {
  if (isProgram(finding)) return '';
  const { cycle, row } = finding.anomaly;
  const names = [...new Set([...cycle.map(({ table }) => table), row?.table])].filter((name) => name !== undefined);
  return names.length === 0 ? '' : `${names.join(', ')}: `;
}
