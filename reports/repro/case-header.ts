/** The first lines of every reproduction file: what it shows, where, how often, and why it is an anomaly. */
import { isAnomaly } from '../../core/index.ts';
import type { Finding, ReductionReport } from '../../core/index.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { findingName } from '../finding/facts.ts';
import { levelWords } from '../text/words.ts';
import type { ReproCase } from './repro-case.ts';

export function caseHeader(finding: Finding, server: string, repro: ReproCase): readonly string[] {
  const reduction = isAnomaly(finding) ? finding.reproduction?.reduction : undefined;
  return headerOf([`${findingName(asReplayed(finding))} at ${levelWords(finding.level)}`, server, ...cutShort(reduction)], repro);
}

/** For a reduction that ran out of time: its progress, and how to continue. */
function cutShort(reduction: ReductionReport | undefined): readonly string[] {
  if (reduction === undefined || reduction.complete) return [];
  const { before, after, executions, seconds } = reduction;
  return wrap(
    `Not as small as it can be: the time to reduce it was over after ${seconds.toFixed(0)} s and ${executions} ${executions === 1 ? 'execution' : 'executions'}, ` +
      `at ${after.statements} of ${before.statements} statements. \`anomalist replay FINDING.json --reduce-seconds 600 --out FINDING.json\` goes on from there.`,
    110,
  );
}

/** `about`: its first lines. */
export function headerOf(about: readonly string[], repro: ReproCase): readonly string[] {
  const { rate } = repro;
  return [
    ...about,
    rateSentence(repro),
    '',
    ...wrap(repro.explanation, 110),
    ...(repro.instrumented ? ['', ...wrap(INSTRUMENTED, 110)] : []),
    ...(rate === undefined ? [] : ['']),
  ];
}

export const INSTRUMENTED =
  'The statements are as they were observed, with the auxiliary columns iso_rid and iso_w in: no reduced case without them exists yet (anomalist replay makes one). Do not file this before it has been reproduced without them.';

export function rateSentence({ rate, instrumented, provenByResults, inOneSchema }: ReproCase): string {
  if (rate === undefined) return 'Seen once; not replayed.';
  return `Reproduced ${rate.seen} of ${rate.tries} times, ${inOneSchema ? 'in a fresh schema that was reset before each' : 'each on a fresh schema'}, one statement at a time${provenByResults ? ', without instrumentation' : instrumented ? ', with auxiliary columns' : '; seen by auxiliary columns, since the results alone do not tell the row versions apart'}.`;
}

function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(/\s+/)) {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines;
  });
}
