/** Shows a run that has its report: its verdict, its levels, its pages, and its findings under their families. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Command, FamilyPart, Notes, Verdict, counted, grouped } from '../../../../reports/in-page.ts';
import { LevelCard } from './level-card.tsx';
import type { FamilyLines, FindingLine, RunDetails } from './messages.ts';
import { Notice } from './notice.tsx';
import type { RunProgress } from './run-progress.ts';
import { STANDING } from './words.ts';

interface Props {
  readonly details: RunDetails;
  /** It is empty if the run wrote no progress. */
  readonly progress: RunProgress;
}

const PAGES: Readonly<Record<string, string>> = {
  'report.html': 'Open the report',
  'explore.html': 'Every order of small programs',
  'outcomes.html': 'Outcomes',
};

export function ReportedRun({ details, progress: { end } }: Props): VNode {
  const { id, kind, levels, families, pages, notes, command } = details;
  const count = families.reduce((sum, { findings }) => sum + findings.length, 0);
  return (
    <>
      <Verdict look={kind} word={STANDING[kind]} label="Verdict">
        <div>
          {levels
            .filter((level) => level.kind === kind)
            .map(({ target, level, words }) => (
              <p key={`${target} ${level}`}>
                {level}: {words}
              </p>
            ))}
        </div>
        <span class="pages">
          {pages.map((page) => (
            <a key={page} class="button" href={`./runs/${encodeURIComponent(id)}/${page}`} target="_blank" rel="noreferrer">
              {PAGES[page] ?? page}
            </a>
          ))}
        </span>
      </Verdict>
      <Notice words={end?.why === undefined ? undefined : `The run ended early: ${end.why}`} />
      <div class="cards">
        {levels.map(({ target, level, kind: of, words, progress }) => (
          <LevelCard key={`${target} ${level}`} target={target} level={level} kind={of} progress={progress}>
            <p class="words">{words}</p>
          </LevelCard>
        ))}
      </div>
      <h2>
        Findings <span class="count">{grouped(count)}</span>
      </h2>
      {count === 0 && <p class="quiet">None. What that is worth depends on what was covered.</p>}
      <div class="families">
        {families.map((family, i) => (
          <Family key={i} run={id} family={family} open={i === 0 || family.verdict === 'bug'} />
        ))}
      </div>
      {notes.length > 0 && (
        <details class="panel">
          <summary>{counted(notes.length, 'note')}</summary>
          <Notes of={notes} />
        </details>
      )}
      <Command text={command} label="Command of this run" />
    </>
  );
}

interface FamilyProps {
  readonly run: string;
  readonly family: FamilyLines;
  readonly open: boolean;
}

/** Only an open family has its findings in the page, because a run may have thousands. */
function Family({ run, family: { verdict, name, edges, level, anomalies, findings }, open }: FamilyProps): VNode {
  const [isOpen, setOpen] = useState(open);
  return (
    <FamilyPart
      verdict={verdict}
      name={name}
      edges={edges}
      where={`${level} · ${counted(findings.length, 'finding')} · ${counted(anomalies, 'anomaly', 'anomalies')}`}
      open={isOpen}
      toggled={setOpen}
    >
      {isOpen && (
        <ul class="seen">
          {findings.map((finding) => (
            <Row key={finding.n} run={run} finding={finding} />
          ))}
        </ul>
      )}
    </FamilyPart>
  );
}

function Row({
  run,
  finding: { n, whole, count, tables, transactions, explanation, sql },
}: {
  readonly run: string;
  readonly finding: FindingLine;
}): VNode {
  return (
    <li>
      <a class="finding-line" href={`#/finding/${encodeURIComponent(run)}/${n}`}>
        <span class="n">{n}</span>
        <span class="explains">
          {explanation}
          {sql !== '' && <code>{sql}</code>}
        </span>
        <span class="where">
          {tables.join(', ')} {transactions.length > 0 && transactions.join(', ')} · {count === 1 ? 'once' : `${grouped(count)} times`}
          {whole ? '' : ', in brief'}
        </span>
      </a>
    </li>
  );
}
