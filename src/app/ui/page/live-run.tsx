/**
 * Follows a run that goes on, or shows one that ended without a report. It shows the progress, and the findings as they
 * come.
 */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FindingSeen, LevelProgress } from '../../../../core/verdict/index.ts';
import { Command, FamilyPart, Notes, VERDICTS, Verdict, counted, grouped } from '../../../../reports/in-page.ts';
import { ask } from './ask.ts';
import { Curve } from './curve.tsx';
import { LevelCard } from './level-card.tsx';
import type { RunLine } from './messages.ts';
import { transactionsOf } from './run-progress.ts';
import type { RunProgress } from './run-progress.ts';
import { STATE, timeWords } from './words.ts';

interface Props {
  readonly progress: RunProgress;
  readonly line: RunLine;
}

export function LiveRun({ progress, line }: Props): VNode {
  const { begin, seconds, levels, curve, findings, words, notes } = progress;
  const running = line.state === 'running';
  return (
    <>
      <Verdict look={STATE[line.state].look} word={STATE[line.state].word} label="State">
        <div role="status">
          <p>
            {line.target}, {timeWords(seconds)}
            {running ? budgetWords(progress) : ''}; {counted(transactionsOf(levels), 'transaction')}, {counted(findings.length, 'finding')}
          </p>
          {running ? <p class="quiet">{words.join(', ')}</p> : <p>{line.why}</p>}
        </div>
        {running && line.startedHere && (
          <button type="button" onClick={() => void ask('api/stop', {})}>
            Stop
          </button>
        )}
      </Verdict>
      <div class="cards">
        {levels.map((level) => (
          <LevelCard key={level.level} target={line.target} level={level.level} kind={kindOf(level)} progress={level} seconds={seconds} />
        ))}
      </div>
      <Curve points={curve} />
      <h2>
        Findings <span class="count">{grouped(findings.length)}</span>
      </h2>
      {findings.length === 0 && <p class="quiet">{running ? 'None yet.' : 'None.'}</p>}
      <Families findings={findings} />
      {notes.length > 0 && (
        <details class="panel">
          <summary>{counted(notes.length, 'note')}</summary>
          <Notes of={notes} />
        </details>
      )}
      {begin && <Command text={begin.command} label="Command of this run" />}
    </>
  );
}

function budgetWords({ begin }: RunProgress): string {
  if (begin?.cases !== undefined) return `, ${counted(begin.cases, 'round')} a level`;
  if (begin?.durationMs === undefined) return '';
  return ` (rounds for ${timeWords(begin.durationMs / 1000)}${begin.exploreMs === undefined ? '' : `, small programs for ${timeWords(begin.exploreMs / 1000)}`})`;
}

function kindOf({ anomalies }: LevelProgress): string {
  return VERDICTS.find((verdict) => anomalies[verdict] > 0) ?? '';
}

/**
 * Groups the findings by verdict, level and name. Families with the worst verdict come first. Their findings stand in
 * the order in which they came.
 */
function Families({ findings }: { readonly findings: readonly FindingSeen[] }): VNode {
  const families = new Map<string, FindingSeen[]>();
  for (const finding of findings) {
    const key = `${VERDICTS.indexOf(finding.verdict)} ${finding.level} ${finding.name}`;
    families.set(key, [...(families.get(key) ?? []), finding]);
  }
  const sorted = [...families].sort(([a], [b]) => (a[0]! < b[0]! ? -1 : a[0]! > b[0]! ? 1 : 0));
  return (
    <div class="families">
      {sorted.map(([key, of]) => (
        <Family key={key} findings={of} />
      ))}
    </div>
  );
}

function Family({ findings }: { readonly findings: readonly FindingSeen[] }): VNode {
  const [isOpen, setOpen] = useState(false);
  const { verdict, level, name } = findings[0]!;
  return (
    <FamilyPart
      verdict={verdict}
      name={name}
      edges=""
      where={`${level} · ${counted(findings.length, 'finding')}`}
      open={isOpen}
      toggled={setOpen}
    >
      {isOpen && (
        <ul class="seen">
          {findings.map(({ id, round, explanation, sql }) => (
            <li key={id}>
              <p>
                {explanation} <span class="quiet">round {round}</span>
              </p>
              {sql !== '' && <Sql text={sql} />}
            </li>
          ))}
        </ul>
      )}
    </FamilyPart>
  );
}

/** Shows `s1 SELECT ...; s2 UPDATE ...` with a line for each statement. */
function Sql({ text }: { readonly text: string }): VNode {
  return (
    <pre tabIndex={0} aria-label="Statements">
      <code>{text.replaceAll(/; (?=s\d+ )/g, '\n')}</code>
    </pre>
  );
}
