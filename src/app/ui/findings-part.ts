/** Shows one finding from its file, as a report does. A finding that is only a line has what findings.json holds. */
import { PART_SCRIPT } from '../../../reports/index.ts';
import type { FindingSummaryJson, ReportJson } from '../../../reports/index.ts';
import { readReplayFiles } from '../../replay/index.ts';
import type { Finding } from '../../../core/verdict/index.ts';
import type { OutFolder } from './out-folder.ts';
import type { FindingDetails } from './page/messages.ts';
import type { Part, UiContext } from './part.ts';
import { NOT_FOUND } from './route.ts';

export function findingsPart({ out }: UiContext): Part {
  return {
    routes: [
      {
        method: 'GET',
        path: '/api/runs/:id/findings/:n',
        answer: ({ params }) => {
          const details = detailsOf(out, params['id']!, Number(params['n']));
          return details === undefined ? NOT_FOUND : { json: details };
        },
      },
      { method: 'GET', path: '/part.js', answer: () => ({ content: PART_SCRIPT, type: 'text/javascript; charset=utf-8' }) },
    ],
  };
}

/** Returns undefined if the finding has no file. Throws UsageError if the file cannot be read. */
export function wholeFinding(out: OutFolder, id: string, n: number): Finding | undefined {
  const file = out.file(id, `finding-${n}.json`);
  const [read] = file === undefined ? [] : readReplayFiles(file.path).files;
  if (read?.kind === 'program') return read.finding;
  if (read?.kind !== 'finding') return undefined;
  // A null in a file means that no replay without instrumentation was made.
  const { bareReplay, ...finding } = read.finding;
  return { ...finding, ...(bareReplay && { bareReplay }) };
}

function detailsOf(out: OutFolder, id: string, n: number): FindingDetails | undefined {
  const report = out.json(id, 'findings.json') as Partial<ReportJson> | undefined;
  const summary = report?.findings?.find((each) => each.n === n);
  if (summary === undefined) return undefined;
  const { level, verdict, target } = summary;
  const whole = summary.file === null ? undefined : wholeFinding(out, id, n);
  const instead = whole === undefined ? insteadOf(report as ReportJson, n) : undefined;
  return {
    n,
    name: nameOf(summary),
    level,
    verdict,
    target,
    ...(whole !== undefined && { whole }),
    explanation: summary.explanation,
    edges: summary.cycle.map(({ from, to, rel, explanation }) => ({ from, to, rel, explanation })),
    command: summary.replay,
    replays: whole !== undefined,
    ...(instead !== undefined && { instead }),
  };
}

/** A run of an older version has no names. */
function nameOf({ name, shapes, class: anomaly }: Omit<FindingSummaryJson, 'name'> & { readonly name?: string }): string {
  return name ?? (shapes.length === 0 ? (anomaly ?? '') : `${shapes.join(', ')} (${anomaly})`);
}

/** Returns the finding of its family that is kept whole. */
function insteadOf({ families, findings }: ReportJson, n: number): number | undefined {
  const family = families.find((each) => each.findings.includes(n));
  return findings.find((each) => each.file !== null && family?.findings.includes(each.n) === true)?.n;
}
