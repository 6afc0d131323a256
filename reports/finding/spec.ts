/**
 * repro.spec: the reduced case as a test of PostgreSQL's isolationtester (src/test/isolation/README), the form in which
 * its developers commit a reproduction. A session with one transaction begins it in its setup, as their own files do. A
 * session has at most one setup, whose statements are sent together. If it has settings, BEGIN is a step: a query before
 * it in the same message would keep it from choosing a level. A last session shows the final tables if the proof needs
 * them. isolationtester itself detects waiting.
 */
import { beginParts } from '../../core/dialect/index.ts';
import type { PlainRun, PlainStep } from '../../core/verdict/index.ts';
import { asReplayed } from './as-replayed.ts';
import { findingName, plainOf } from './facts.ts';
import type { FiledFinding } from '../repro/repro-case.ts';
import { finalReads } from '../repro/final-reads.ts';
import { caseSetup, dropStatements } from '../text/setup-script.ts';
import { oneLine } from '../text/visible.ts';

/** Undefined for a finding that was not replayed without instrumentation. */
export function isolationSpec(finding: FiledFinding): string | undefined {
  const plain = plainOf(finding);
  return plain && specOf(plain, [`${findingName(asReplayed(finding))} at ${finding.level}`], finding.vendor.quote);
}

/** `about`: its first lines, before the explanation of the run. */
export function specOf(plain: PlainRun, about: readonly string[], quote = '"'): string {
  const sessions = [...new Set(plain.steps.map(({ session }) => session))].sort((a, b) => a - b);
  const names = stepNames(plain);
  const setup = caseSetup(plain);
  // Steps have names of letters, digits and underscores; tables may have any name.
  const ends = plain.finalState.map(({ table }, i) => (/^[a-z]\w*$/i.test(table) ? `end_${table}` : `end_${i + 1}`));
  return `${[
    ...about.map((line) => `# ${oneLine(line)}`),
    ...wrapped(plain.explanation).map((line) => `# ${line}`),
    '',
    'setup',
    '{',
    ...setup.map(({ sql }) => `  ${sql};`),
    '}',
    '',
    'teardown',
    '{',
    ...dropStatements(setup).map((sql) => `  ${sql};`),
    '}',
    ...sessions.flatMap((session) => ['', ...sessionLines(session, plain, names)]),
    '',
    'session at_the_end',
    ...finalReads(plain, quote).map((sql, i) => `step ${ends[i]} { ${sql}; }`),
    '',
    `permutation ${[...plain.steps.flatMap((_, i) => names[i] ?? []), ...ends].join(' ')}`,
  ].join('\n')}\n`;
}

/**
 * Returns a step for each statement. Undefined: the statement is in its session's setup, that is a setting, or the BEGIN
 * of its one transaction where there is no setting.
 */
function stepNames({ steps }: PlainRun): readonly (string | undefined)[] {
  const counts = new Map<number, number>();
  return steps.map((step) => {
    if (step.kind === 'setting' || (step.kind === 'begin' && beginsInSetup(steps, step.session))) return undefined;
    const n = (counts.get(step.session) ?? 0) + 1;
    counts.set(step.session, n);
    return step.kind === 'commit' || step.kind === 'rollback'
      ? `s${step.session + 1}_${step.kind}${hasOneTransaction(steps, step.session) ? '' : n}`
      : `s${step.session + 1}_${n}`;
  });
}

function beginsInSetup(steps: readonly PlainStep[], session: number): boolean {
  return hasOneTransaction(steps, session) && !steps.some((step) => step.session === session && step.kind === 'setting');
}

function hasOneTransaction(steps: readonly PlainStep[], session: number): boolean {
  return new Set(steps.filter((step) => step.session === session).map(({ txn }) => txn)).size === 1;
}

function sessionLines(session: number, { steps }: PlainRun, names: readonly (string | undefined)[]): readonly string[] {
  const own = steps.flatMap((step, i) => (step.session === session ? [{ step, name: names[i] }] : []));
  const inSetup = own.flatMap(({ step, name }) => (name === undefined ? [`${sqlOf(step)};`] : []));
  return [
    `session s${session + 1}`,
    ...(inSetup.length === 0 ? [] : [`setup { ${inSetup.join(' ')} }`]),
    ...own.flatMap(({ step, name }) => (name === undefined ? [] : [`step ${name} { ${sqlOf(step)}; }`])),
  ];
}

/** Returns BEGIN without the query for the level in force that is sent with it. */
function sqlOf({ kind, sql }: PlainStep): string {
  return kind === 'begin' ? (beginParts(sql)[0] ?? sql) : sql;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > 100) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
