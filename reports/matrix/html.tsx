/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows the matrix as one page that loads nothing and runs no script. A cell is a link, and the row under it shows the
 * linked transcript (:target). Each schedule is a card on a narrow screen.
 */
import type { VNode } from 'preact';
import { Badge } from '../components/badge.tsx';
import { RunFacts } from '../components/card.tsx';
import { Notes } from '../components/notes.tsx';
import { OwnSettings } from '../components/own-settings.tsx';
import { pageFile } from '../html/document.ts';
import { noteText } from '../notes/words.ts';
import type { MatrixPhenomenon, MatrixReport, MatrixSchedule } from './report.ts';
import { MATRIX_STYLE } from './style.ts';
import { Transcript, colourOf } from './transcript-part.tsx';
import { LEGEND, PROMISE_WORDS, conclusion, observedWord, summaryCell, type SummaryCell } from './words.ts';

/** The page has room for words where the tables have letters. */
const PAGE_WORDS: Readonly<Record<string, string>> = { X: 'must not', d: 'may', u: 'silent' };

export function matrixHtml(report: MatrixReport): string {
  return pageFile({
    title: `Isolation matrix: ${report.server}`,
    body: () => <MatrixPage report={report} />,
    style: MATRIX_STYLE,
    scripted: false,
  });
}

function MatrixPage({ report }: { readonly report: MatrixReport }): VNode {
  const bad = report.phenomena.some(({ schedules }) => schedules.some(({ cells }) => cells.some((cell) => cell.verdict === 'contradicts')));
  return (
    <>
      <header class="top">
        <h1>Isolation matrix</h1>
        <p class="verdicts">
          <Badge look={bad ? 'bug' : 'clean'}>{conclusion(report)}</Badge>
        </p>
        <RunFacts of={facts(report)} />
        <pre class="replay" tabIndex={0} aria-label="Command of this matrix">
          <code>{report.command}</code>
        </pre>
        <OwnSettings settings={report.ownSettings} />
      </header>
      <main>
        <p class="quiet">Each cell says what was observed and what the vendor promises; follow it to its transcript.</p>
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">schedule</th>
              {report.levels.map(({ level, aliasOf }) => (
                <th scope="col">
                  {level}
                  {aliasOf && <small>runs as {aliasOf}</small>}
                </th>
              ))}
            </tr>
          </thead>
          {report.phenomena.map((phenomenon, p) => (
            <Phenomenon report={report} phenomenon={phenomenon} p={p} />
          ))}
        </table>
        <Signs />
        {report.notes.length > 0 && (
          <>
            <h2>Notes</h2>
            <Notes of={report.notes.map(noteText)} />
          </>
        )}
      </main>
    </>
  );
}

function facts(report: MatrixReport): readonly (readonly [string, string])[] {
  const settings = Object.entries(report.configuration)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  return [
    ['server', report.server],
    ['target', report.target],
    ...(settings === '' ? [] : [['configuration', settings] as const]),
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}

function Signs(): VNode {
  return (
    <>
      <h2>Signs</h2>
      <dl class="legend">
        {LEGEND.map(([word, meaning]) => (
          <div>
            <dt>{PAGE_WORDS[word] ?? word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface PhenomenonProps {
  readonly report: MatrixReport;
  readonly phenomenon: MatrixPhenomenon;
  readonly p: number;
}

function Phenomenon({ report, phenomenon, p }: PhenomenonProps): VNode {
  return (
    <tbody>
      <tr class="phenomenon">
        <th scope="rowgroup">
          <b>{phenomenon.phenomenon}</b> {phenomenon.title}
        </th>
        {report.levels.map(({ level }, l) => (
          <td data-level={level}>
            <Summary of={summaryCell(phenomenon, l)} />
          </td>
        ))}
      </tr>
      {phenomenon.schedules.map((schedule, s) => (
        <ScheduleRows schedule={schedule} id={`${p}-${s}`} />
      ))}
    </tbody>
  );
}

function ScheduleRows({ schedule, id }: { readonly schedule: MatrixSchedule; readonly id: string }): VNode {
  const { name, title, variant, cells } = schedule;
  return (
    <>
      <tr class="schedule" id={`r${id}`}>
        <th scope="row">
          {name}
          <small>
            {title} · {variant}
          </small>
        </th>
        {cells.map((cell, l) => (
          <td data-level={cell.level}>
            <a class={`cell ${colourOf(cell)}`} href={`#c${id}-${l}`}>
              <span>{observedWord(cell)}</span>
              <small>{PROMISE_WORDS[cell.promised]}</small>
            </a>
          </td>
        ))}
      </tr>
      <tr class="unfold">
        <td colspan={cells.length + 1}>
          {cells.map((cell, l) => (
            <Transcript schedule={schedule} cell={cell} id={id} l={l} />
          ))}
        </td>
      </tr>
    </>
  );
}

function Summary({ of: { most, mixed, verdict } }: { readonly of: SummaryCell }): VNode {
  if (most === undefined) return <span class="sum">not run</span>;
  return (
    <span class={`sum ${verdict}`}>
      <b>{observedWord(most)}</b> {PROMISE_WORDS[most.promised]}
      {mixed ? '*' : ''}
    </span>
  );
}
