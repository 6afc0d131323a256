/** The runs below OUT: their list as it changes, one followed while it goes on, what a finished one found, and its pages. */
import { readFileSync } from 'node:fs';
import type { Finding } from '../../../core/index.ts';
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
 * A report is a file that anybody may have put there: its script runs in a place of its own, from which nothing of this page
 * can be asked (an opaque origin, and nothing to connect to).
 */
const REPORT_POLICY =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGES = ['report.html', 'explore.html', 'outcomes.html'];
const LOOK_MS = 500;
/** The first ones, which are the worst: a file has some fifty thousand characters. */
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

/** A file that cannot be read costs its line the statements, not the list. */
function sqlOf(out: OutFolder, id: string, n: number): string {
  const finding = out.json(id, `finding-${n}.json`) as Finding | undefined;
  return finding === undefined || !('statements' in finding || 'family' in finding) ? '' : findingSql(finding);
}

/** `progress`: events, in pieces; `line`: the run in the list, whenever it changes. It ends when the run has. */
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
