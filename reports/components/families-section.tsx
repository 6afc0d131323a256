/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows all findings under their families. A family is a line that opens to its findings, and a finding is a line that
 * opens to its details. The details are packed (html/packed.ts) and drawn when the finding is opened.
 */
import type { VNode } from 'preact';
import type { Report } from '../../core/verdict/index.ts';
import { findingName, isProgram, shortName, transactionsOf, type AnyFinding } from '../finding/facts.ts';
import type { Family } from '../run/families.ts';
import type { NumberedFinding, NumberedLine } from '../run/figures.ts';
import { counted, grouped } from '../text/words.ts';
import { Chips } from './chips.tsx';
import type { Facets } from './facets.ts';
import { FamilyPart } from './family.tsx';
import { termOf } from './glossary.tsx';
import { Legend } from './legend.tsx';

/** The first family is open if it has at most this many findings. */
const FEW = 12;

interface Props {
  readonly report: Report;
  readonly all: readonly Family[];
  readonly facets: Facets;
}

export function FamiliesSection({ report, all, facets }: Props): VNode {
  const count = facets.rows.length;
  if (count === 0)
    return (
      <>
        <h2 id="findings">Findings</h2>
        <p class="quiet">No findings. What that is worth depends on the coverage below.</p>
      </>
    );
  return (
    <>
      <div class="findings-head">
        <h2 id="findings">
          Findings <span class="count">{grouped(count)}</span>
        </h2>
        <p class="tools">
          <button type="button" data-all="open">
            Open all families
          </button>{' '}
          <button type="button" data-all="close">
            Close all
          </button>
        </p>
      </div>
      <p class="quiet">
        In families: one class, one name, one cycle of edges, whatever the statements. A family opens to its findings, a finding to its
        timeline and its dependencies.
      </p>
      <Search count={count} />
      <Chips facets={facets} />
      <Legend />
      <noscript>
        <p class="quiet">Findings open by a script that this browser does not run: report.md and the finding’s JSON file tell them.</p>
      </noscript>
      <div class="families">
        {all.map((family, i) => (
          <FamilyOf report={report} family={family} open={i === 0 && family.findings.length + family.lines.length <= FEW} />
        ))}
      </div>
      <p class="quiet" id="nothing" hidden>
        No finding has all of this.{' '}
        <button type="button" data-clear="">
          Show all
        </button>
      </p>
    </>
  );
}

function Search({ count }: { readonly count: number }): VNode {
  return (
    <div class="find" role="search">
      <input
        type="search"
        id="search"
        placeholder="Search: SQL, tables, names, T12, #3 ( / )"
        aria-label="Search findings"
        autocomplete="off"
        spellcheck={false}
      />
      <output id="matches" aria-live="polite">
        {counted(count, 'finding')}
      </output>
      <button type="button" id="clear" hidden>
        Clear
      </button>
    </div>
  );
}

interface FamilyProps {
  readonly report: Report;
  readonly family: Family;
  readonly open: boolean;
}

function FamilyOf({ report, family, open }: FamilyProps): VNode {
  const { name, edges, target, level, verdict, findings, lines, anomalies, counts } = family;
  const oneTarget = new Set(report.levels.map((each) => each.target)).size <= 1;
  const where = (
    <>
      {oneTarget ? level : `${target} ${level}`} · <span class="of">{counted(findings.length + lines.length, 'finding')}</span> ·{' '}
      {counts === 'programs' ? counted(anomalies, 'program') : counted(anomalies, 'anomaly', 'anomalies')}
    </>
  );
  return (
    <FamilyPart verdict={verdict} name={name} edges={edges} where={where} open={open}>
      <div class="members">
        {[...findings, ...lines].map((each) => (
          <FindingRow {...each} />
        ))}
      </div>
    </FamilyPart>
  );
}

/** Shows the line of a finding. The link and the copy button stand beside the part that opens it. */
function FindingRow({ n, finding }: NumberedFinding | NumberedLine): VNode {
  const { judgement, count } = finding;
  const whole = isProgram(finding) || 'statements' in finding;
  const transactions = isProgram(finding) ? transactionsOf(finding) : finding.transactions;
  const times = isProgram(finding) ? `by ${counted(count, 'program')}` : count === 1 ? 'once' : `${grouped(count)} times`;
  return (
    <div class="finding" id={`finding-${n}`} data-verdict={judgement.verdict}>
      <details>
        <summary>
          <span class="n">{n}</span>
          <span class="name" data-term={termOf(shortName(finding))}>
            {findingName(finding)}
          </span>
          <span class="what">
            {tables(finding)}
            {transactions.map(({ id, name }) => (name === undefined ? `T${id}` : `T${id} ${name}`)).join(', ')}
          </span>
          <span class="where">
            {times}
            {whole ? '' : ', in brief'}
          </span>
        </summary>
        <div class="body"></div>
      </details>
      <span class="acts">
        <a href={`#finding-${n}`} title={`Link to finding ${n}`} aria-label={`Link to finding ${n}`}>
          #
        </a>
        <button type="button" data-copy-finding={n} aria-label={`Copy finding ${n} as text`}>
          Copy
        </button>
      </span>
    </div>
  );
}

function tables(finding: AnyFinding): string {
  if (isProgram(finding)) return '';
  const { cycle, row } = finding.anomaly;
  const names = [...new Set([...cycle.map(({ table }) => table), row?.table])].filter((name) => name !== undefined);
  return names.length === 0 ? '' : `${names.join(', ')}: `;
}
