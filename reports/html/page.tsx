/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Makes report.html. The result of the run and its worst case come first, then all findings in their families, then the
 * evidence, level by level. An open finding's content is packed behind the page and drawn when it is opened, so a page
 * of thousands loads at once.
 */
import type { VNode } from 'preact';
import type { Report, Reporter } from '../../core/verdict/index.ts';
import { AnswerSection } from '../components/answer-section.tsx';
import { RunFacts } from '../components/card.tsx';
import { CellTable } from '../components/cell-table.tsx';
import { Command } from '../components/command.tsx';
import { ExploredSection } from '../components/explored-section.tsx';
import { facetsOf, type Facets } from '../components/facets.ts';
import { FamiliesSection } from '../components/families-section.tsx';
import { FindingBody, LineBody } from '../components/finding-body.tsx';
import { Glossary } from '../components/glossary.tsx';
import { LevelCard } from '../components/level-card.tsx';
import { Notes } from '../components/notes.tsx';
import { RatesSection } from '../components/rates-section.tsx';
import { noteText } from '../notes/words.ts';
import { findingFiles, withFiles } from '../repro/files.ts';
import { families } from '../run/families.ts';
import { numberedFindings, numberedLines, paperTable } from '../run/figures.ts';
import { brokenInvariants } from '../run/invariant-lines.ts';
import { findingText } from '../text/finding-text.ts';
import { pageFile } from './document.ts';
import { dataBlock, packedBlocks, type Folded } from './packed.ts';
import { markup } from './render.ts';

export const htmlReporter: Reporter = (report, sink) => {
  const facets = facetsOf([...numberedFindings(report), ...numberedLines(report)]);
  const page = pageFile({
    title: `Anomalist report ${report.runId}`,
    body: () => <ReportPage report={report} facets={facets} />,
    scripted: true,
    ...(facets.rows.length > 0 && { data: dataBlock('index', { rows: facets.rows }) }),
    packed: packedBlocks(foldedFindings(report)),
  });
  sink.write('report.html', page);
};

function ReportPage({ report, facets }: { readonly report: Report; readonly facets: Facets }): VNode {
  return (
    <>
      <header class="top line">
        <h1>Anomalist report</h1>
        <RunFacts of={facts(report)} />
      </header>
      <main>
        <AnswerSection report={report} facets={facets} />
        <FamiliesSection report={report} all={families(report)} facets={facets} />
        <h2>Levels</h2>
        <div class="cards">
          {report.levels.map((level) => (
            <LevelCard report={report} level={level} />
          ))}
        </div>
        <RatesSection report={report} />
        {report.explored && <ExploredSection part={report.explored} />}
        <h2>Anomalies per level</h2>
        <p class="quiet">Anomalies, and in brackets how many distinct fingerprints they have.</p>
        <CellTable rows={paperTable(report)} label="Anomalies per level" />
        <h2>This run</h2>
        <Command text={report.command} label="Command of this run" />
        {report.notes.length > 0 && (
          <>
            <h3>Notes</h3>
            <Notes of={report.notes.map(noteText)} />
          </>
        )}
        <Glossary />
      </main>
    </>
  );
}

/** Yields one finding after the other, because thousands at once would fill the memory. */
function* foldedFindings(report: Report): Generator<Folded> {
  const filed = new Map(withFiles(report).map((each) => [each.n, each.finding]));
  for (const { n, finding } of numberedFindings(report)) {
    const withCase = filed.get(n);
    const files = withCase === undefined ? [] : findingFiles(report, withCase, n);
    const broken = brokenInvariants(report, finding);
    const body = markup(() => <FindingBody n={n} finding={finding} files={files} broken={broken} />);
    yield { n, body, text: findingText(n, finding) };
  }
  const inFull = new Map(families(report).flatMap(({ findings, lines }) => lines.map(({ n }) => [n, findings[0]?.n] as const)));
  for (const { n, finding } of numberedLines(report)) {
    const body = markup(() => <LineBody finding={finding} like={inFull.get(n)} />);
    yield { n, body, text: findingText(n, finding) };
  }
}

function facts(report: Report): readonly (readonly [string, string])[] {
  return [
    ['run', report.runId],
    ['server', [...new Set(report.levels.map(({ target, server }) => `${target}: ${server}`))].join('; ')],
    ['seed', report.seed],
    ['mode', `${report.mode}, ${report.instrument}`],
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}
