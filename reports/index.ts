export { findingReporter } from './finding-json.ts';
export { htmlReporter } from './html/page.ts';
export { jsonReporter, reportJson, type FindingSummaryJson, type LevelJson, type ReportJson } from './json.ts';
export { manifestReporter } from './manifest.ts';
export { markdownReporter } from './markdown.ts';
export { REPORTERS } from './reporters.ts';
export { summaryText, type Paint, type Style } from './summary.ts';
