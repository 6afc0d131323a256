/**
 * The instrumentation must not change what it watches: on every server at hand the same schedules with and without it
 * block alike, fail alike and return the same rows. One cause of difference is the server's own (docs/NEUTRALITY.md): when one
 * COMMIT releases two sessions, they race. A schedule that differs is therefore repeated both ways; it passes only if a
 * bare and an instrumented run behave alike to the letter, and if the bare runs differ among themselves or such a race is
 * on record. What else cannot be neutral is listed there by cause, and must stay the exception.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentsOf } from '../../core/sql/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import { instrument } from '../../instrument/index.ts';
import { WIDE_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import { KeptConnections, Recorder, runRound } from '../../src/execute/index.ts';
import { ofRelease, openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { describeEachServer } from './each-server.ts';

/** Fewer by default where each wait is slow to be seen (MariaDB's view of them is refreshed ten times a second at most). */
const SCHEDULES = Number(process.env['ANOMALIST_SCHEDULES'] ?? 60);
const FEW_SCHEDULES = Number(process.env['ANOMALIST_SCHEDULES'] ?? 20);
/** Repetitions of a schedule whose two runs differed. */
const REPETITIONS = 12;
const LEVELS = ['read-committed', 'repeatable-read'] as const;

describeEachServer(
  'instrumentation',
  ({ target: server, older }) => {
    let target: Target;
    let kept: KeptConnections;

    beforeAll(async () => {
      const { dialect, ...rest } = await ofRelease(await openTarget([], server));
      kept = new KeptConnections(dialect);
      target = { ...rest, dialect: kept.dialect };
    });

    afterAll(async () => {
      await kept?.close();
      await target?.close();
    });

    for (const name of LEVELS) {
      // MariaDB's view of waits is not refreshed while two look at it.
      it.sequential(`changes no block, no error and no result in generated schedules at ${name}`, async ({ skip }) => {
        const schedules = target.dialect.capabilities.returning.update && !older ? SCHEDULES : FEW_SCHEDULES;
        skip(
          target.dialect.levels.some(({ level, offByDefault }) => level === name && offByDefault),
          `${name} is off by default`,
        );
        const differences: string[] = [];
        const races: string[] = [];
        const causes: string[] = [];
        let statements = 0;
        let blocked = 0;
        let failed = 0;
        for (let i = 0; i < schedules; i++) {
          const [bare, probed] = [
            await play(target, `neutral/${i}`, name, 'none', i),
            await play(target, `neutral/${i}`, name, 'exact', i),
          ];
          const { lines: a, sentAt } = behaviour(bare);
          const { lines: b } = behaviour(probed);
          statements += a.length;
          blocked += bare.statements.blocked.reduce((sum, each) => sum + each, 0);
          failed += bare.statements.error.filter((error) => error !== undefined).length;
          if (a.join('\n') === b.join('\n')) continue;
          // The earliest difference is the cause of the others.
          const inB = new Map(b.map((line) => [keyOf(line), line]));
          const at = [...a.keys()]
            .filter((k) => inB.get(keyOf(a[k]!)) !== a[k])
            .reduce((first, k) => (sentAt[k]! < (sentAt[first] ?? Infinity) ? k : first), -1);
          const [bareLine, probedLine] = [a[at] ?? 'nothing', inB.get(keyOf(a[at] ?? '')) ?? 'nothing'];
          const difference = `seed neutral/${i} at ${name}: bare ${bareLine} | instrumented ${probedLine}`;
          // A listed cause passes whether or not the schedule was a race too, so the 24 repetitions are for the others.
          const known = listedCause(target, caseOf(target, `neutral/${i}`), bareLine, probedLine);
          const race =
            known === undefined && (releasesTwo(bare) || releasesTwo(probed)) && (await meets(target, a, b, `neutral/${i}`, name, i));
          const listed = race ? undefined : (known ?? (await widerRows(target, b, `neutral/${i}`, name, i)));
          if (race) races.push(difference);
          else if (listed !== undefined) causes.push(`${difference} (${listed})`);
          else differences.push(difference);
        }
        console.log(
          `${server}, ${name}: ${schedules} schedules, ${statements} statements, ${blocked} blocked, ${failed} failed, ${races.length} decided by a race of two released sessions, ${causes.length} by a listed cause, ${differences.length} different\n${[...races, ...causes].join('\n')}`,
        );
        expect(differences).toEqual([]);
        expect(causes.length, 'listed causes are exceptions').toBeLessThanOrEqual(schedules / 4);
        expect(blocked).toBeGreaterThan(schedules / 10);
      });
    }
  },
  { everyRelease: true, concurrent: true },
);

function caseOf({ dialect }: Pick<Target, 'dialect'>, seed: string): TestCase {
  return generateCase(seed, { mode: 'schedule', ...optionsFor(dialect.capabilities, WIDE_SHAPES) });
}

async function play(
  { dialect, urls }: Target,
  seed: string,
  name: (typeof LEVELS)[number],
  mode: 'exact' | 'none' | 'widened',
  i: number,
): Promise<History> {
  const testCase = caseOf({ dialect }, seed);
  const options = { capabilities: dialect.capabilities, level: name };
  const bare = mode === 'exact' ? undefined : instrument(testCase, { ...options, mode: 'none' });
  const exact = mode === 'none' ? undefined : instrument(testCase, { ...options, mode: 'exact' });
  const outcome = await runRound({
    round: i,
    probedCase: { ...(bare ?? exact)!, schema: (exact ?? bare)!.schema },
    dialect,
    level: dialect.levels.find((level) => level.level === name)!,
    urls,
    mode: 'schedule',
    namespace: `anomalist_neutral_${name.replace('-', '_')}_${mode}_${i}`,
    recorder: new Recorder(undefined, { tool: 'test', seed }),
  });
  expect(outcome.complete, outcome.reason).toBe(true);
  return outcome.history;
}

/** Transaction and number. */
function keyOf(line: string): string {
  return line.slice(0, line.indexOf(' '));
}

/** Two sessions waited at the same time: whatever ends their wait may let both go at once. */
function releasesTwo({ statements }: History): boolean {
  const waits: { from: number; to: number }[] = [];
  for (let s = 0; s < statements.count; s++)
    if (statements.blocked[s] === 1) waits.push({ from: statements.invokeAt[s]!, to: statements.replyAt[s]! });
  return waits.some((a, i) => waits.some((b, j) => i !== j && a.from < b.to && b.from < a.to));
}

/** Repeats the schedule both ways until a bare and an instrumented run are the same. */
async function meets(
  target: Target,
  a: readonly string[],
  b: readonly string[],
  seed: string,
  name: (typeof LEVELS)[number],
  i: number,
): Promise<boolean> {
  const bare = new Set([a.join('\n')]);
  const probed = new Set([b.join('\n')]);
  for (let k = 0; k < REPETITIONS; k++) {
    bare.add(behaviour(await play(target, seed, name, 'none', i)).lines.join('\n'));
    probed.add(behaviour(await play(target, seed, name, 'exact', i)).lines.join('\n'));
    if ([...bare].some((each) => probed.has(each))) return true;
  }
  return false;
}

/** The same statements without instrumentation, on tables with our two columns, behave as the instrumented ones do: rows are scanned in another order. */
async function widerRows(
  target: Target,
  b: readonly string[],
  seed: string,
  name: (typeof LEVELS)[number],
  i: number,
): Promise<string | undefined> {
  if (target.dialect.capabilities.capture !== undefined) return undefined;
  const widened = behaviour(await play(target, seed, name, 'widened', i)).lines;
  return widened.join('\n') === b.join('\n') ? 'a wider table is scanned in another order' : undefined;
}

/** One line per statement, in order of transaction and number: did it wait, how did it end, what did it return. A probe is part of the statement behind it. */
function behaviour(history: History): { readonly lines: string[]; readonly sentAt: number[] } {
  const { statements, transactions } = history;
  const order = Array.from({ length: statements.count }, (_, s) => s).filter((s) => statements.kind[s] !== 'final');
  const id = (s: number): number => transactions.id[statements.txn[s]!]!;
  order.sort((a, b) => id(a) - id(b) || statements.index[a]! - statements.index[b]!);
  const lines: string[] = [];
  const sentAt: number[] = [];
  let n = 0;
  let probeWaited = false;
  for (const [i, s] of order.entries()) {
    if (i === 0 || id(order[i - 1]!) !== id(s)) n = 0;
    if (statements.kind[s] === 'probe' && statements.error[s] === undefined) {
      probeWaited ||= statements.blocked[s] === 1;
      continue;
    }
    const error = statements.error[s];
    const code = error === undefined ? 'ok' : `${error.code} ${error.class}`;
    const rows = (statements.result[s] ?? []).map((row) => row.join('|')).toSorted();
    // One that fails stands for the REPLACE before which it was sent.
    const kind = statements.kind[s] === 'probe' ? 'insert' : statements.kind[s]!;
    lines.push(`T${id(s)}.${n++} ${kind}${statements.blocked[s] || probeWaited ? ' waited' : ''} ${code} ${rows.join(' ')}`);
    sentAt.push(statements.invokeAt[s]!);
    probeWaited = false;
  }
  return { lines, sentAt };
}

/** Why a difference on a server without RETURNING is none of ours to mend (docs/NEUTRALITY.md), or undefined. */
function listedCause({ dialect }: Target, testCase: TestCase, a: string, b: string): string | undefined {
  if (dialect.capabilities.capture === undefined) return undefined;
  if (/ deadlock/.test(a) || / deadlock/.test(b)) return "the choice of a deadlock's victim";
  if (/ serialization/.test(b) && !/ serialization/.test(a)) return 'a write that changes nothing is one when instrumented';
  const beside = (statement: Statement): boolean => {
    if ('name' in statement || (statement.kind !== 'insert' && statement.kind !== 'update' && statement.kind !== 'delete')) return false;
    const { queries, leaves } = contentsOf(statement);
    return queries.length + leaves.length > 0 || (statement.kind === 'insert' && statement.conflict !== undefined);
  };
  const reads = testCase.sessions.some(({ transactions }) => transactions.some(({ statements }) => statements.some(beside)));
  return reads && / waited/.test(a) !== / waited/.test(b) ? 'a write that locks what it reads' : undefined;
}
