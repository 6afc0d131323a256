/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows an exploration as one page that loads nothing. It lists what was enumerated at each level. Every family is then
 * shown as a finding of a run is, and again as the terminal prints it, to be typed by hand. Each family has an address.
 */
import type { VNode } from 'preact';
import type { ExploreFamily, ProgramFinding } from '../../core/verdict/index.ts';
import { Badge } from '../components/badge.tsx';
import { RunFacts } from '../components/card.tsx';
import { Command, CopyLines, Lines } from '../components/command.tsx';
import { FindingBody } from '../components/finding-body.tsx';
import { Glossary } from '../components/glossary.tsx';
import { OutcomePart } from '../components/outcome-part.tsx';
import { OwnSettings } from '../components/own-settings.tsx';
import { pageFile } from '../html/document.ts';
import { exploredFindingWords, exploredStanding, exploredWords, rankOf, verdictWord } from '../run/explored.ts';
import { exploredAt, exploredFindings, programFinding } from './findings.ts';
import { exploredPart } from './part.ts';
import type { ExploreLevel, ExploreReport } from './report.ts';
import { exploreSummary, exploredIncomplete, familyLines } from './text.ts';
import { worstFirst } from './worst-first.ts';
import { ownBreaksLines, togetherLines } from './together.ts';

const ABOUT = {
  exploration:
    'Two to four transactions of a few statements, in every order that the server allows; each outcome is compared with those of the serial orders.',
  rounds:
    'Transactions of generated cases, one of each session together, each time from the same rows; each outcome of at most four of them is compared with those of the serial orders, and after each the tables are compared with their keys and indexes.',
  races:
    'Two to four transactions of a few statements, released together round after round, as fast as the server goes; each outcome is compared with those of the serial orders.',
} as const;

/** The page links to report.html in the same folder, the page of the run that it belongs to. */
export function exploreHtml(report: ExploreReport, runPage: string): string {
  return pageFile({
    title: `${exploredWords(report).title}: ${report.server}`,
    body: () => <ExplorePage report={report} runPage={runPage} />,
    scripted: true,
  });
}

function ExplorePage({ report, runPage }: { readonly report: ExploreReport; readonly runPage: string }): VNode {
  const { levels } = exploredPart(report, '');
  const found = new Map(exploredFindings(report).map((finding) => [finding.family, finding]));
  return (
    <>
      <header class="top">
        <h1>{exploredWords(report).title}</h1>
        <p class="verdicts">
          {levels.map((level) => {
            const { kind, words } = exploredStanding(level);
            return (
              <Badge look={kind}>
                {level.level}: {words}
              </Badge>
            );
          })}
        </p>
        <RunFacts of={facts(report)} />
        <Command text={report.command} label="Command of this exploration" />
        <OwnSettings settings={report.ownSettings} />
        <p class="quiet">
          {ABOUT[levelsRaced(report) ? 'races' : (report.of ?? 'exploration')]} Nothing is instrumented. A part of{' '}
          <a href={runPage}>the run</a>.
        </p>
      </header>
      <main>
        {report.levels.map((level, l) => (
          <Level report={report} level={level} words={levels[l]?.findings.map(exploredFindingWords) ?? []} found={found} />
        ))}
        <Rest report={report} />
        <Glossary />
      </main>
    </>
  );
}

function levelsRaced({ levels }: ExploreReport): boolean {
  return levels.some(({ raced }) => raced !== undefined);
}

/** Shows the facts that belong to no single level. */
function Rest({ report }: { readonly report: ExploreReport }): VNode {
  return (
    <>
      {report.levels.some(({ together }) => together !== undefined) && (
        <>
          <h2>Together</h2>
          <Lines of={togetherLines(report, (_, text) => text)} />
        </>
      )}
      {report.lacking.length > 0 && <p class="quiet">Forms that the server lacks: {report.lacking.join(', ')}</p>}
      {report.unjudged?.map((each) => (
        <p class="quiet">Invariant not asked: {each}</p>
      ))}
      {report.endedEarly !== undefined && (
        <>
          <h2>Ended early</h2>
          <p>{exploredIncomplete(report, report.endedEarly)}</p>
        </>
      )}
    </>
  );
}

interface LevelProps {
  readonly report: ExploreReport;
  readonly level: ExploreLevel;
  /** Holds the summary line of each family. */
  readonly words: readonly string[];
  readonly found: ReadonlyMap<ExploreFamily, ProgramFinding>;
}

function Level({ report, level, words, found }: LevelProps): VNode {
  return (
    <>
      <h2>{level.level}</h2>
      <Lines of={[...ownBreaksLines(level), ...exploreSummary(level)]} />
      {worstFirst(level).map((family, f) => {
        const id = `${level.level}-${f + 1}`;
        const finding = found.get(family) ?? programFinding(family, id, exploredAt(report, level));
        return <Family finding={finding} id={id} words={words[f] ?? family.name} open={f === 0} />;
      })}
    </>
  );
}

interface FamilyProps {
  readonly finding: ProgramFinding;
  readonly id: string;
  readonly words: string;
  readonly open: boolean;
}

/** Shows the parts of a run's finding, and the lines that the terminal prints. */
function Family({ finding, id, words, open }: FamilyProps): VNode {
  const { family } = finding;
  const { verdict } = family;
  const summary = (
    <>
      <Badge look={rankOf(family)} term={verdict}>
        {verdictWord(family)}
      </Badge>
      <span class="name">{words}</span>
    </>
  );
  return (
    <OutcomePart id={id} verdict={verdict} open={open} linked summary={summary}>
      <FindingBody finding={finding} />
      <CopyLines of={familyLines(family, (_, text) => text).slice(1)} />
    </OutcomePart>
  );
}

function facts(report: ExploreReport): readonly (readonly [string, string])[] {
  return [
    ['target', report.target],
    ['server', report.server],
    ['seed', report.seed],
    ['workers', String(report.workers)],
    ['started', report.startedAt],
    ['took', `${report.seconds.toFixed(1)} s`],
    ['tool', report.tool],
  ];
}
