/**
 * Mini-transactions against general ones on live servers: the mini-transaction paper's Figure 11 (abort rates over sessions
 * and over the skew of access) and Figure 13 (what finds more in the same time), as tables and charts.
 *
 * A trial is a round of its own, with a fresh table. Abort rates: one trial of as many transactions for each workload,
 * level, number of sessions and distribution. Findings: trials one after the other for so many seconds, 10 objects and
 * exponential access as in the paper, at a level that is known to allow what SERIALIZABLE forbids; a trial succeeds when
 * its history violates SERIALIZABLE.
 *
 * `npm run bench:workloads -- [--target postgres@18]... [--seconds 30] [--out bench-out]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DISTRIBUTIONS } from '../core/base/index.ts';
import type { Distribution } from '../core/base/index.ts';
import type { Level } from '../core/level/index.ts';
import type { LevelReport } from '../core/verdict/index.ts';
import { chartFile } from '../reports/index.ts';
import type { Chart, ChartSeries } from '../reports/index.ts';
import { runPipeline } from '../src/pipeline/pipeline.ts';
import { Progress } from '../src/process/progress.ts';
import { openTarget } from '../src/target/target.ts';
import type { Target } from '../src/target/target.ts';
import { chosenWorkload } from '../src/workload/option.ts';
import type { WorkloadOptions } from '../src/workload/options.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: ['postgres@18', 'mysql@9.7', 'mariadb@10.11'] },
    seconds: { type: 'string', default: '30' },
    out: { type: 'string', default: 'bench-out' },
    seed: { type: 'string', default: '1' },
  },
});
const seconds = Number(values.seconds);
const SESSIONS = [2, 4, 8, 16, 32];
/** The abort rates' transactions of a trial, over all sessions. */
const TRANSACTIONS = 320;
const OBJECTS = 100;
/** The paper's transactions of GT have 20 operations. */
const KINDS = [
  { name: 'mini', options: {} },
  { name: 'general', options: { operations: 20 } },
] as const;
const SKEWED: Distribution = 'exponential';
/** The paper's detection trials. */
const TRIAL = { objects: 10, distribution: SKEWED, sessions: 10, transactions: 60 } as const;
const DETECTORS = [
  { name: 'mini', options: {} },
  ...[4, 8, 20].map((operations) => ({ name: 'general', options: { operations } })),
  ...[4, 8].map((operations) => ({ name: 'append', options: { operations } })),
] as const;

interface Cell {
  readonly kind: string;
  readonly level: Level;
  readonly sessions: number;
  readonly distribution: Distribution;
  readonly abortRate: number;
  readonly commits: number;
}

const out = values.out;
mkdirSync(out, { recursive: true });
const page: string[] = ['# Mini-transactions against general ones', ''];
for (const name of values.target) {
  const target = await openTarget([], name);
  try {
    page.push(`## ${name}`, '', ...(await abortRates(target)), ...(await detection(target)));
  } finally {
    await target.close();
  }
}
writeFileSync(join(out, 'workloads.md'), `${page.join('\n')}\n`);
console.log(page.join('\n'));

async function trial(
  target: Target,
  kind: string,
  level: Level,
  round: number,
  options: Omit<WorkloadOptions, 'mode'>,
): Promise<LevelReport> {
  const given = { mode: 'stress', ...options } as const;
  const report = await runPipeline({
    target,
    levels: [level],
    mode: 'stress',
    workload: await chosenWorkload(kind, given).make(given, target.dialect),
    seed: values.seed,
    firstRound: round,
    cases: 1,
    sessions: given.sessions!,
    runId: `bench-${Date.now().toString(36)}`,
    keep: false,
    known: new Set(),
    reduceSeconds: 0,
    signal: new AbortController().signal,
    progress: new Progress(process.stderr, true),
  });
  return report.levels[0]!;
}

/** Figure 11: (a) over sessions at the paper's skew, (b) over distributions at the most sessions. */
async function abortRates(target: Target): Promise<readonly string[]> {
  const cells: Cell[] = [];
  const levels = levelsOf(target);
  for (const level of levels) {
    for (const { name: kind, options } of KINDS) {
      for (const sessions of SESSIONS) {
        for (const distribution of DISTRIBUTIONS) {
          const { rates, coverage } = await trial(target, kind, level, 0, {
            sessions,
            distribution,
            objects: OBJECTS,
            transactions: Math.ceil(TRANSACTIONS / sessions),
            ...options,
          });
          cells.push({ kind, level, sessions, distribution, abortRate: rates?.abortRate ?? Number.NaN, commits: coverage.committed });
          process.stderr.write(
            `${target.name} ${level} ${kind} ${sessions} sessions, ${distribution}: ${percent(cells.at(-1)!.abortRate)} aborted\n`,
          );
        }
      }
    }
  }
  const of = (level: Level, kind: string, sessions: number, distribution: Distribution): number =>
    cells.find((cell) => cell.level === level && cell.kind === kind && cell.sessions === sessions && cell.distribution === distribution)!
      .abortRate;
  const series = <X>(xs: readonly X[], at: (x: X) => number, value: (level: Level, kind: string, x: X) => number): readonly ChartSeries[] =>
    levels.flatMap((level) =>
      KINDS.map(({ name }) => ({ name: `${name} ${level}`, points: xs.map((x) => [at(x), value(level, name, x)] as const) })),
    );
  draw(`abort-sessions-${target.name}`, {
    title: `Aborted, ${SKEWED} access, ${target.name}`,
    x: 'sessions',
    y: 'share aborted',
    shares: true,
    ordinal: true,
    series: series(
      SESSIONS,
      (x) => x,
      (level, kind, x) => of(level, kind, x, SKEWED),
    ),
  });
  draw(`abort-skew-${target.name}`, {
    title: `Aborted by skew, 32 sessions, ${target.name}`,
    x: DISTRIBUTIONS.map((each, i) => `${i + 1} ${each}`).join(', '),
    y: 'share aborted',
    shares: true,
    ordinal: true,
    series: series(
      DISTRIBUTIONS,
      (x) => DISTRIBUTIONS.indexOf(x) + 1,
      (level, kind, x) => of(level, kind, SESSIONS.at(-1)!, x),
    ),
  });
  const head = ['level', 'access', 'workload', ...SESSIONS.map((n) => `${n} sessions`)];
  const rows = levels.flatMap((level) =>
    DISTRIBUTIONS.flatMap((distribution) =>
      KINDS.map(({ name }) => [level, distribution, name, ...SESSIONS.map((n) => percent(of(level, name, n, distribution)))]),
    ),
  );
  return ['Share of transactions that aborted:', '', ...markdownTable([head, ...rows]), ''];
}

/** Figure 13: trials and findings in the same time. */
async function detection(target: Target): Promise<readonly string[]> {
  const level = levelsOf(target).find((each) => each === 'repeatable-read') ?? levelsOf(target)[0]!;
  const rows: string[][] = [];
  const perMinute: number[] = [];
  for (const { name, options } of DETECTORS) {
    const start = performance.now();
    let trials = 0;
    let successes = 0;
    let findings = 0;
    let committed = 0;
    while (performance.now() - start < seconds * 1000) {
      const { answers, classes, coverage } = await trial(target, name, level, trials++, { ...TRIAL, ...options });
      if (answers.some((each) => each.level === 'serializable' && each.answer === false)) successes++;
      committed += coverage.committed;
      for (const verdicts of Object.values(classes)) for (const n of Object.values(verdicts)) findings += n;
    }
    const minutes = (performance.now() - start) / 60_000;
    perMinute.push(successes / minutes);
    const label = 'operations' in options ? `${name}, ${options.operations} operations` : name;
    rows.push([
      label,
      String(trials),
      String(successes),
      (successes / minutes).toFixed(1),
      (findings / minutes).toFixed(1),
      (committed / minutes).toFixed(0),
    ]);
    process.stderr.write(`${target.name} ${level} ${label}: ${successes} of ${trials} trials\n`);
  }
  draw(`findings-${target.name}`, {
    title: `Successful trials a minute, ${level}, ${target.name}`,
    x: DETECTORS.map(({ name, options }, i) => `${i + 1} ${name}${'operations' in options ? ` ${options.operations}` : ''}`).join(', '),
    y: 'trials a minute',
    ordinal: true,
    series: [{ name: 'violates SERIALIZABLE', points: perMinute.map((value, i) => [i + 1, value] as const) }],
  });
  return [
    `Detection at ${level}, ${seconds} s each, ${TRIAL.objects} objects, ${TRIAL.distribution} access, ${TRIAL.sessions} sessions of ${TRIAL.transactions} transactions:`,
    '',
    ...markdownTable([['workload', 'trials', 'that found a violation', 'a minute', 'findings a minute', 'commits a minute'], ...rows]),
    '',
  ];
}

function levelsOf({ dialect }: Target): readonly Level[] {
  return dialect.levels.filter((level) => !level.aliasOf && !level.offByDefault).map(({ level }) => level);
}

function draw(name: string, chart: Chart): void {
  writeFileSync(join(out, `${name.replaceAll(/[^\w.-]/g, '-')}.svg`), chartFile(chart));
}

function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const [head = [], ...body] = rows;
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...body.map((row) => `| ${row.join(' | ')} |`)];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
