/**
 * Shows the runs below OUT: the changing list, a running one as it goes on, and a finished one with its results and
 * pages.
 */
import { readFileSync } from 'node:fs';
import type { Finding } from '../../../core/verdict/index.ts';
import { findingSql } from '../../../reports/index.ts';
import type { ReportJson } from '../../../reports/index.ts';
import type { OutFolder } from './out-folder.ts';
import type { RunDetails } from './page/messages.ts';
import type { Part, UiContext } from './part.ts';
import { poll } from './poll.ts';
import { ProgressTail } from './progress-tail.ts';
import { runDetails } from './run-details.ts';
import { NOT_FOUND } from './route.ts';
import type { Answer, EventSender, UiRequest } from './route.ts';
import type { RunLines } from './run-lines.ts';

/**
 * A report is a file that anyone may have put there. Its script runs in an opaque origin without connections, from which
 * it cannot reach this page.
 */
const REPORT_POLICY =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGES = ['report.html', 'explore.html', 'outcomes.html'];
const LOOK_MS = 500;
/** Statements are shown for the first findings, which are the worst, because a file has some fifty thousand characters. */
const MOST_SQL = 100;

export function runsPart({ out, runs }: UiContext): Part {
  return {
    routes: [
      { method: 'GET', path: '/api/runs/:id', answer: ({ params }) => answered(detailsOf(out, params['id']!)) },
      { method: 'GET', path: '/api/runs/:id/events', answer: ({ params }) => ({ events: follow(out, runs, params['id']!) }) },
      { method: 'GET', path: '/runs/:id/:file', answer: (request) => fileOf(out, request) },
    ],
  };
}

function answered(json: unknown): Answer {
  return json === undefined ? NOT_FOUND : { json };
}

function detailsOf(out: OutFolder, id: string): RunDetails | undefined {
  const report = out.json(id, 'findings.json') as Partial<ReportJson> | undefined;
  if (report?.targets === undefined || report.families === undefined) return undefined;
  return runDetails(
    id,
    report as ReportJson,
    PAGES.filter((page) => out.file(id, page) !== undefined),
    (n) => (n > MOST_SQL ? '' : sqlOf(out, id, n)),
  );
}

/** If a file cannot be read, only its line lacks the statements. */
function sqlOf(out: OutFolder, id: string, n: number): string {
  const finding = out.json(id, `finding-${n}.json`) as Finding | undefined;
  return finding === undefined || !('statements' in finding || 'family' in finding) ? '' : findingSql(finding);
}

/**
 * Sends `progress` with pieces of the events, and `line` whenever the run's line in the list changes. The stream ends
 * with the run.
 */
function follow(out: OutFolder, runs: RunLines, id: string): EventSender {
  return async (send, gone) => {
    const file = out.file(id, 'progress.ndjson');
    const tail = file && new ProgressTail(file.path);
    const over = new AbortController();
    gone.addEventListener('abort', () => over.abort(), { once: true });
    let last = '';
    await poll(LOOK_MS, over.signal, () => {
      const line = runs.line(id);
      const events = tail?.read() ?? [];
      if (events.length > 0) send('progress', events);
      const state = JSON.stringify(line ?? null);
      if (state !== last) send('line', line ?? null);
      last = state;
      if (line?.state !== 'running') over.abort();
    });
  };
}

function fileOf(out: OutFolder, { params }: UiRequest): Answer {
  const file = out.file(params['id']!, params['file']!);
  return file === undefined ? NOT_FOUND : { content: readFileSync(file.path), type: file.type, policy: REPORT_POLICY };
}
