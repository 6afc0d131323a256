/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows the replay of a finding. It says how often the finding occurred and how far it was reduced. It lists the plain
 * statements with their results, a sentence for each serial order, and the same schedule on other servers. The files
 * come last, each with a copy button.
 */
import { isAnomaly } from '../../core/verdict/index.ts';
import type { VNode } from 'preact';
import type { Finding } from '../../core/verdict/index.ts';
import { controlsOf } from '../finding/facts.ts';
import { rateSentence } from '../repro/case-header.ts';
import type { FindingFile } from '../repro/files.ts';
import { hasCase, reproCase, stepAnswer, waitingWords, type ReproCase } from '../repro/repro-case.ts';
import { counted, levelWords } from '../text/words.ts';
import { CellTable } from './cell-table.tsx';
import { CopyButton } from './command.tsx';
import { StepLanes, type LaneStep } from './step-lanes.tsx';

export function ReproductionSection({ finding }: { readonly finding: Finding }): VNode | null {
  if (!hasCase(finding) || (isAnomaly(finding) && finding.reproduction === undefined)) return null;
  const repro = reproCase(finding);
  const reduction = isAnomaly(finding) ? finding.reproduction?.reduction : undefined;
  const controls = controlsOf(finding).map((each) => [
    each.target,
    levelWords(each.level),
    each.outcome,
    `${each.rate.seen} of ${each.rate.tries}`,
  ]);
  return (
    <section class="reproduction" aria-label="Reproduction">
      <h3>Reproduction</h3>
      <p>
        {rateSentence(repro)}
        {reduction !== undefined &&
          ` Reduced from ${counted(reduction.before.transactions, 'transaction')} and ${counted(reduction.before.statements, 'statement')} to ${reduction.after.transactions} and ${reduction.after.statements}.`}
      </p>
      {!repro.instrumented && <PlainSteps repro={repro} />}
      {controls.length > 0 && (
        <CellTable rows={[['target', 'level', 'outcome', 'k of N'], ...controls]} label="The same schedule elsewhere" />
      )}
    </section>
  );
}

function PlainSteps({ repro }: { readonly repro: ReproCase }): VNode {
  const steps = repro.steps.map((step, i): LaneStep => ({
    session: step.session,
    sql: step.sql.join('; '),
    notes: [waitingWords(repro, i), stepAnswer(step), step.added ? 'added to show the anomaly' : ''],
    state: step.error === null ? (step.blocked ? 'blocked' : '') : 'failed',
  }));
  return (
    <>
      <StepLanes steps={steps} />
      <p>{repro.explanation}</p>
      {repro.orders.length > 0 && (
        <ul class="orders">
          {repro.orders.map(({ sentence, explains }) => (
            <li>
              {sentence}
              {explains && ' This order explains the results.'}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface FilesProps {
  readonly finding: Finding;
  readonly files: readonly FindingFile[];
}

/** Shows text files, each folded and with a copy button. */
export function CopySection({ finding, files }: FilesProps): VNode | null {
  if (files.length === 0 || finding.vendor === undefined) return null;
  const { title } = finding.vendor;
  const rank = ({ kind }: FindingFile): number => (kind === 'tracker.md' ? 0 : 1);
  const shown = files.filter(({ kind }) => kind !== 'graph.gexf' && kind !== 'graph.svg').toSorted((a, b) => rank(a) - rank(b));
  return (
    <section class="files" aria-label="Files">
      <h3>For a report</h3>
      {shown.map(({ kind, name, text }) => (
        <details class="more file">
          <summary>
            {kind === 'tracker.md' ? `Text for ${title}’s tracker` : kind} <span class="quiet">{name}</span>
          </summary>
          <CopyButton />
          <pre tabIndex={0} aria-label={name}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </section>
  );
}
