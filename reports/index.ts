export { compactJson } from './finding/compact-json.ts';
export { numberedAnomalies, numberedFindings } from './run/figures.ts';
export { edgeKinds, families, familyOf, type Family } from './run/families.ts';
export { findingFile, findingFileText } from './finding/json.ts';
export type { Chart, ChartSeries } from './components/line-chart.tsx';
export type { RawDifference, RawNotCompared, RawReport, RawSpec, RawVerdict } from './raw/report.ts';
export { rawText } from './raw/text.ts';
export { chartFile } from './html/chart-file.tsx';
export { bisectText, type BisectReport } from './compare/bisected.ts';
export { compareHtml } from './compare/html.tsx';
export { compareMarkdown } from './compare/markdown.ts';
export type { CompareLevel, CompareLine, CompareReport, CompareVariant, ComparedTarget } from './compare/report.ts';
export { compareText } from './compare/text.ts';
export type { ExploredPairs, ExploreLevel, ExploreReport, AimedAt, ExploreTogether, TriedCure } from './explore/report.ts';
export { exploreHtml } from './explore/html.tsx';
export { explorationReport, exploredFindings, programFinding, withExploredFindings } from './explore/findings.ts';
export { exploredPart } from './explore/part.ts';
export { pairOrders } from './explore/pair-lines.ts';
export { exploredStanding, isOfCorpus, judgedPrograms } from './run/explored.ts';
export type { FootprintLevel, FootprintReport, LookDependency, LookFootprint } from './explore/footprints.ts';
export { footprintsText } from './explore/footprint-text.ts';
export { exploreText } from './explore/text.ts';
export { PART_SCRIPT } from './html/script.ts';
export { htmlReporter } from './html/page.tsx';
export { STYLE as reportStyle } from './html/style.ts';
export { reportJson, type FindingSummaryJson, type LevelJson, type ReportJson } from './run/json.ts';
export { RECORD_FILE, RECORD_FORMAT, type RunRecord } from './run/record.ts';
export { REPORTERS } from './reporters.ts';
export type { Paint } from './text/paint.ts';
export { detailsText } from './run/details.ts';
export { briefText, type BriefOptions } from './brief/brief.ts';
export { SIGN, STYLE } from './brief/grid.ts';
export { byWorst, explanationOfProgram, familyName, findingName, shortName } from './finding/facts.ts';
export type { Placed } from './finding/facts.ts';
export { familySql, findingSql } from './brief/listed.ts';
export type {
  CellFinding,
  MatrixCell,
  MatrixLevel,
  MatrixPhenomenon,
  MatrixReport,
  MatrixSchedule,
  Observed,
  Promised,
  TranscriptLine,
} from './matrix/report.ts';
export { matrixHtml } from './matrix/html.tsx';
export { matrixJson, type MatrixJson } from './matrix/json.ts';
export { matrixMarkdown } from './matrix/markdown.ts';
export { matrixText } from './matrix/text.ts';
export { readNotes, readReport, storedNotes, storedReport, type StoredReport } from './notes/stored.ts';
export { explainedInvariants, invariantWhy, serialOrderWords, untracedWords } from './notes/invariant-reason.ts';
export { apartWords, notAimedWords } from './notes/not-aimed.ts';
export { notComparedWords } from './notes/not-compared.ts';
export { addPrograms, programCounts, statementCounts } from './notes/unjudged.ts';
export { noteText, noteTexts } from './notes/words.ts';
export { hasCase, plainCase, reproCase } from './repro/repro-case.ts';
export { transcript } from './repro/transcript.ts';
export { folded } from './text/folded.ts';
export { caseSetup, dropStatements } from './text/setup-script.ts';
export { terminated, terminatedForMtr } from './text/terminated.ts';
export { textTable } from './text/table.ts';
export { anomalyName, counted, grouped, levelWords, promiseSentence, resultText, sourceWords } from './text/words.ts';
export { stepSentence } from './text/step-words.ts';
export type { Drawn } from './components/drawn.ts';
export { isolationSpec, specOf } from './finding/spec.ts';
export { headerOf } from './repro/case-header.ts';
export { scriptOf } from './repro/sql-script.ts';
export { oneLine } from './text/visible.ts';
export { asReplayed } from './finding/as-replayed.ts';
export { findingFiles, isFindingFile } from './repro/files.ts';
export { dependencyGraph } from './repro/graph-files.ts';
export { trackerText, type Subject } from './trackers/tracker-text.ts';
