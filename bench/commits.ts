/**
 * `npm run bench:commits -- OLD NEW [--target postgres@18] [--level serializable] [--seconds 30] [--turns 3]`: `run` of two
 * commits on the same server, in turns: transactions a second over the whole run and while transactions ran, the share that
 * did not commit, and conflicts a transaction by their kind, before and after. Each commit is checked out beside this one and
 * uses its packages, so both must ask for the same. A turn runs both with one seed, in an order that alternates; what is
 * printed is the median of the turns' ratios, since a machine that others use is not the same for long.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../dialects/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'postgres@18' },
    level: { type: 'string', default: 'serializable' },
    seconds: { type: 'string', default: '30' },
    turns: { type: 'string', default: '3' },
    mode: { type: 'string', default: 'stress' },
  },
});
const commits = positionals.slice(0, 2);
const seconds = Number(values.seconds);
const turns = Number(values.turns);
if (commits.length < 2 || !(seconds > 0) || !(turns > 0))
  throw new Error('usage: npm run bench:commits -- OLD NEW [--target SERVER] [--level LEVEL] [--seconds N] [--turns N] [--mode MODE]');

/** Kinds of conflict that are printed, the most frequent first. */
const SHOWN = 24;

/** Of the run's manifest.json, which both commits write. */
interface Manifest {
  readonly seconds: number;
  readonly levels: readonly [
    {
      readonly coverage: {
        readonly rounds: number;
        readonly transactions: number;
        readonly committed: number;
        readonly conflicts: Readonly<Record<string, number>>;
      };
      readonly pairs?: { readonly met: Readonly<Record<string, number>>; readonly notMet: readonly string[] };
      readonly rates?: { readonly commitsPerSecond: number };
    },
  ];
}

interface Side {
  readonly rounds: number;
  readonly transactions: number;
  readonly committed: number;
  /** Of the run with its rounds' schemas and verdicts, its start not counted. */
  readonly seconds: number;
  readonly busy: number;
  readonly conflicts: Readonly<Record<string, number>>;
  readonly pairs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'anomalist-commits-'));
const here = resolve(import.meta.dirname, '..');
const checkouts = commits.map((commit, n) => checkedOut(commit, join(folder, `checkout-${n}`)));
const server = await startServer(values.target);
const sides: [Side, Side][] = [];
try {
  for (let turn = 0; turn < turns; turn++) {
    const both: Partial<Record<0 | 1, Side>> = {};
    for (const n of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) both[n] = ran(checkouts[n]!, String(turn + 1));
    sides.push([both[0]!, both[1]!]);
    const [before, after] = [both[0]!, both[1]!];
    console.log(
      `turn ${turn + 1}: ${perSecond(before).toFixed(0)} and ${perSecond(after).toFixed(0)} transactions/s (${before.rounds} and ${after.rounds} rounds), ${before.busy.toFixed(0)} and ${after.busy.toFixed(0)} commits/s while they ran, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
    );
  }
} finally {
  await server.stop();
  for (const checkout of checkouts) execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: here });
  rmSync(folder, { recursive: true, force: true });
}

const whole = ratios(perSecond);
const busy = ratios((side) => side.busy);
console.log(`${commits[1]} beside ${commits[0]}, ${values.target}, ${values.level}, ${values.mode}, ${turns} turns of ${seconds} s each`);
console.log(`  transactions/s: median ratio ${median(whole).toFixed(3)} (${whole.map((ratio) => ratio.toFixed(2)).join(', ')})`);
console.log(
  `  commits/s while transactions ran: median ratio ${median(busy).toFixed(3)} (${busy.map((ratio) => ratio.toFixed(2)).join(', ')})`,
);
const [old, now] = [summed(0), summed(1)];
console.log(`  not committed: ${percent(1 - old.committed / old.transactions)} and ${percent(1 - now.committed / now.transactions)}`);
console.log(`  pairs of forms that met, at most in a turn: ${old.pairs} and ${now.pairs}`);
const shareOf = (side: Side, kind: string): number => (side.conflicts[kind] ?? 0) / side.transactions;
const kinds = [...new Set([...Object.keys(old.conflicts), ...Object.keys(now.conflicts)])].toSorted(
  (a, b) => shareOf(old, b) + shareOf(now, b) - shareOf(old, a) - shareOf(now, a),
);
const all = (side: Side): number => Object.values(side.conflicts).reduce((sum, count) => sum + count, 0) / side.transactions;
console.log(`  conflicts a transaction: ${all(old).toFixed(3)} and ${all(now).toFixed(3)}; by kind:`);
for (const kind of kinds.slice(0, SHOWN))
  console.log(`    ${kind.padEnd(40)} ${shareOf(old, kind).toFixed(4)}   ${shareOf(now, kind).toFixed(4)}`);
if (kinds.length > SHOWN) console.log(`    and ${kinds.length - SHOWN} kinds more`);

function checkedOut(commit: string, at: string): string {
  execFileSync('git', ['worktree', 'add', '--detach', at, commit], { cwd: here, stdio: 'ignore' });
  symlinkSync(join(here, 'node_modules'), join(at, 'node_modules'));
  return at;
}

/** By the sources, as a developer runs them: both sides are compiled as they are loaded. */
function ran(checkout: string, seed: string): Side {
  const out = mkdtempSync(join(folder, 'out-'));
  const words = ['run', '--url', server.urls[0]!, '--level', values.level, '--mode', values.mode, '--seed', seed];
  try {
    execFileSync('npx', ['tsx', 'src/app/cli.ts', ...words, '--duration', `${seconds}s`, '--reduce-seconds', '0', '--out', out], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  } catch (error) {
    // A finding makes the exit code 1, a round that tested nothing 3.
    if (![1, 3].includes((error as { readonly status?: number }).status ?? 2)) throw error;
  }
  const [run] = readdirSync(out);
  const { levels, seconds: took } = JSON.parse(readFileSync(join(out, run!, 'manifest.json'), 'utf8')) as Manifest;
  const [{ coverage, pairs, rates }] = levels;
  const { rounds, transactions, committed, conflicts } = coverage;
  return {
    rounds,
    transactions,
    committed,
    seconds: took,
    busy: rates?.commitsPerSecond ?? 0,
    conflicts,
    pairs: Object.keys(pairs?.met ?? {}).length,
  };
}

function perSecond(side: Side): number {
  return side.transactions / side.seconds;
}

function ratios(of: (side: Side) => number): readonly number[] {
  return sides.map(([before, after]) => of(after) / of(before));
}

function summed(n: 0 | 1): Side {
  const those = sides.map((both) => both[n]);
  const sum = (of: (side: Side) => number): number => those.reduce((total, side) => total + of(side), 0);
  const conflicts: Record<string, number> = {};
  for (const side of those) for (const [kind, count] of Object.entries(side.conflicts)) conflicts[kind] = (conflicts[kind] ?? 0) + count;
  return {
    rounds: sum(({ rounds }) => rounds),
    transactions: sum(({ transactions }) => transactions),
    committed: sum(({ committed }) => committed),
    seconds: sum((side) => side.seconds),
    busy: sum((side) => side.busy) / those.length,
    conflicts,
    pairs: Math.max(...those.map(({ pairs }) => pairs)),
  };
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
