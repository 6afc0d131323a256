export { htmlReporter } from './html/page.ts';
export { reportJson, type FindingSummaryJson, type LevelJson, type ReportJson } from './json.ts';
export { REPORTERS } from './reporters.ts';
export { summaryText, type Paint, type Style } from './summary.ts';
export type { CellFinding, MatrixCell, MatrixLevel, MatrixPhenomenon, MatrixReport, MatrixSchedule, Observed, Promised, TranscriptLine } from './matrix-report.ts';
export { matrixHtml } from './matrix-html.ts';
export { matrixJson, type MatrixJson } from './matrix-json.ts';
export { matrixMarkdown } from './matrix-markdown.ts';
export { matrixText } from './matrix-text.ts';
