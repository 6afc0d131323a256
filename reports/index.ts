export { htmlReporter } from './html/page.ts';
export { reportJson, type FindingSummaryJson, type LevelJson, type ReportJson } from './json.ts';
export { REPORTERS } from './reporters.ts';
export { summaryText, type Paint, type Style } from './summary.ts';
