/** Every writer by name. A new one is one file and one row here. */
import type { Reporter } from '../core/index.ts';
import { findingReporter } from './finding/json.ts';
import { htmlReporter } from './html/page.tsx';
import { jsonReporter } from './run/json.ts';
import { manifestReporter } from './run/manifest.ts';
import { markdownReporter } from './run/markdown.ts';
import { recordReporter } from './run/record.ts';
import { reproReporter } from './repro/files.ts';

export const REPORTERS: Readonly<Record<string, Reporter>> = {
  html: htmlReporter,
  markdown: markdownReporter,
  findings: findingReporter,
  json: jsonReporter,
  manifest: manifestReporter,
  record: recordReporter,
  repro: reproReporter,
};
