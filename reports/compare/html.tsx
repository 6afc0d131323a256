/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows a comparison as one page that loads nothing. The table comes first, then each line with its variants and a
 * column for each session.
 */
import type { VNode } from 'preact';
import { RunFacts } from '../components/card.tsx';
import { Command, CopyLines } from '../components/command.tsx';
import { OutcomePart } from '../components/outcome-part.tsx';
import { OwnSettings } from '../components/own-settings.tsx';
import { ExploredLanes } from '../components/step-lanes.tsx';
import { pageFile } from '../html/document.ts';
import type { CompareLevel, CompareLine, CompareReport } from './report.ts';
import { reproductionLines } from './text.ts';
import { comparedIncomplete, leftOut, letterOf, levelSentence, namesOf, titleOf, variantWords } from './words.ts';

export function compareHtml(report: CompareReport): string {
  return pageFile({ title: `Comparison of ${report.targets.length} servers`, body: () => <ComparePage report={report} />, scripted: true });
}

function ComparePage({ report }: { readonly report: CompareReport }): VNode {
  const { targets, levels, lacking } = report;
  const facts = [
    ...targets.map(({ name, server }) => [name, server] as const),
    ['seed', report.seed] as const,
    ['started', report.startedAt] as const,
    ['took', `${report.seconds.toFixed(0)} s`] as const,
    ['tool', report.tool] as const,
  ];
  return (
    <>
      <header class="top">
        <h1>What differs between these servers</h1>
        <RunFacts of={facts} />
        <Command text={report.command} label="Command of this comparison" />
        {targets.map(({ name, ownSettings }) => (
          <OwnSettings settings={ownSettings} title={name} />
        ))}
        <p class="quiet">
          The same programs in the same orders on each of them; nothing is instrumented. A difference is told where each server did the same
          each time.
        </p>
      </header>
      <main>
        {levels.map((level) => (
          <Level report={report} level={level} />
        ))}
        {lacking.length > 0 && <p class="quiet">Forms that not all of them have: {lacking.join(', ')}</p>}
        {report.endedEarly !== undefined && (
          <>
            <h2>Ended early</h2>
            <p>{comparedIncomplete(report.levels, report.endedEarly)}</p>
          </>
        )}
      </main>
    </>
  );
}

function Level({ report, level }: { readonly report: CompareReport; readonly level: CompareLevel }): VNode {
  const lines = level.lines.map((line, i) => ({ report, line, id: `${level.level}-${i + 1}`, n: i + 1 }));
  return (
    <>
      <h2>{levelSentence(level, report.targets.length)}</h2>
      {leftOut(level).map((line) => (
        <p class="quiet">{line}</p>
      ))}
      {lines.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                <th scope="col"></th>
                <th scope="col">what</th>
                {report.targets.map(({ name }) => (
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((each) => (
                <Row {...each} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {lines.map((each) => (
        <Section {...each} />
      ))}
    </>
  );
}

interface LineProps {
  readonly report: CompareReport;
  readonly line: CompareLine;
  readonly id: string;
  readonly n: number;
}

function Row({ report: { targets }, line, id, n }: LineProps): VNode {
  const variantAt = (t: number): number => line.variants.findIndex((variant) => variant.targets.includes(t));
  return (
    <tr>
      <td>
        <a href={`#${id}`}>{n}</a>
      </td>
      <td>{titleOf(line)}</td>
      {targets.map((_, t) => (
        <td>{variantAt(t) === -1 ? 'varies' : letterOf(variantAt(t))}</td>
      ))}
    </tr>
  );
}

function Section({ report, line, id, n }: LineProps): VNode {
  const summary = (
    <span class="name">
      {n}. {titleOf(line)}
    </span>
  );
  return (
    <OutcomePart id={id} open={n === 1} summary={summary}>
      {line.variants.map((variant, v) => (
        <>
          <p>
            <b>{letterOf(v)}</b> {namesOf(report, variant.targets)}: {variantWords(line, variant)}
          </p>
          {variant.says !== undefined && variant.says !== '' && (
            <blockquote class={`promise ${variant.verdict ?? ''}`}>
              <p>{variant.says}</p>
              <cite>{variant.source ?? ''}</cite>
            </blockquote>
          )}
          <ExploredLanes lines={variant.example.lines} />
        </>
      ))}
      {line.varies.length > 0 && <p>Not the same each time: {namesOf(report, line.varies)}</p>}
      <Command text={line.command} label="Command that runs this program alone" />
      <CopyLines of={reproductionLines(line)} />
    </OutcomePart>
  );
}
