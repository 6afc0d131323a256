/** Earlier runs: their list, and the pages and files that each wrote. */
import { readFileSync } from 'node:fs';
import type { Part, UiContext } from './part.ts';
import type { RunList } from './page/messages.ts';
import { NOT_FOUND } from './route.ts';
import { RunLines } from './run-lines.ts';

/**
 * A report is a file that anybody may have put there: its script runs in a place of its own, from which nothing of this page
 * can be asked (an opaque origin, and nothing to connect to).
 */
const REPORT_POLICY =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function runsPart({ out }: UiContext): Part {
  const lines = new RunLines(out);
  return {
    routes: [
      { method: 'GET', path: '/api/runs', answer: () => ({ json: { out: out.name, runs: lines.list() } satisfies RunList }) },
      {
        method: 'GET',
        path: '/runs/:id/:file',
        answer: ({ params }) => {
          const file = out.file(params['id']!, params['file']!);
          if (file === undefined) return NOT_FOUND;
          return { content: readFileSync(file.path), type: file.type, policy: REPORT_POLICY };
        },
      },
    ],
  };
}
