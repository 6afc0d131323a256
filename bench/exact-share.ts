/**
 * Which share of generated statements have exact reads: `tsx bench/exact-share.ts [cases] [seed] [dialect]`. One line per set
 * of weights and tag, then per kind of statement, then why the others are not exact. Nothing is run on a server.
 */
import { DIALECTS } from '../dialects/index.ts';
import { instrument } from '../instrument/index.ts';
import { DEFAULT_OPTIONS, PLAIN_SHAPES, generateCase, optionsFor } from '../schema-gen/index.ts';

const cases = Number(process.argv[2] ?? 200);
const seed = process.argv[3] ?? 'share';
const wanted = process.argv[4] ?? 'postgres';
const dialect = DIALECTS.find(({ name }) => name === wanted);
if (dialect === undefined) throw new Error(`no dialect ${wanted}: expected one of ${DIALECTS.map(({ name }) => name).join(', ')}`);

for (const [name, options] of [
  ['the default weights', DEFAULT_OPTIONS],
  ['plain shapes alone', PLAIN_SHAPES],
] as const) {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  let all = 0;
  let exact = 0;
  for (let i = 0; i < cases; i++) {
    const { sessions } = instrument(generateCase(`${seed}/${i}`, optionsFor(dialect.capabilities, options)), {
      mode: 'exact',
      capabilities: dialect.capabilities,
    });
    for (const { original, statement, probe } of sessions.flatMap(({ transactions }) => transactions.flatMap((txn) => txn.statements))) {
      if ('name' in original) continue;
      all++;
      if (probe.reads === 'exact') exact++;
      const form =
        'reads' in statement && statement.reads !== undefined
          ? 'beside'
          : probe.captured !== undefined
            ? 'captured'
            : probe.layout.kind === 'none'
              ? 'unchanged'
              : 'in place';
      count(kinds, `${original.kind}, ${form}: ${probe.reads}`);
      if (probe.reason !== undefined)
        count(reasons, `${original.kind}: ${probe.reason.replace(/(table|view|that) \w+ read/, '$1 ... read')}`);
    }
  }
  console.log(`\nWith ${name} on ${dialect.title}: ${share(exact, all)} of ${all} statements are exact (seed ${seed}, ${cases} cases)`);
  for (const [line, n] of [...sorted(kinds), ...sorted(reasons)]) console.log(`  ${share(n, all).padStart(7)}  ${line}`);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

function share(n: number, all: number): string {
  return `${((100 * n) / all).toFixed(1)} %`;
}
