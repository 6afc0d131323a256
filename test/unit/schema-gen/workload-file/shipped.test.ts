/** The files of workloads/, and one that nothing takes, through the importer of every DBMS; no server is needed for that. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Dialect, Refusal } from '../../../../core/dialect/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../../../schema-gen/index.ts';
import type { WorkloadTemplates } from '../../../../schema-gen/index.ts';
import { SHIPPED_RACES, SHIPPED_WORKLOADS, shippedFor } from '../../../../src/workload/file.ts';
import { BROKEN_FILE, BROKEN_LINES } from './broken-file.ts';

/** Those that every DBMS takes. */
const NAMES = SHIPPED_WORKLOADS.filter(({ on }) => on === undefined).map(({ name }) => name);

interface Imported {
  readonly templates: WorkloadTemplates;
  readonly refused: readonly Refusal[];
}

const IMPORTING = DIALECTS.filter((dialect) => dialect.importer !== undefined);
const known = new Map<string, Imported>();

async function imported(text: string, dialect: Dialect): Promise<Imported> {
  const { name } = dialect;
  const before = known.get(name + text);
  if (before !== undefined) return before;
  const { file, refused } = parseWorkloadFile(text);
  const made = importWorkload(file, await dialect.importer!());
  const all = { templates: made.templates, refused: [...refused, ...made.refused] };
  known.set(name + text, all);
  return all;
}

function textOf(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../workloads/${name}.sql`, import.meta.url)), 'utf8');
}

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))('a shipped file on %s', (_, dialect) => {
  it.each(shippedFor(dialect).map(({ name }) => name))('%s is taken whole', async (name) => {
    const { templates, refused } = await imported(textOf(name), dialect);
    expect(refused).toEqual([]);
    expect(templates.schema.tables.length).toBeGreaterThanOrEqual(4);
    expect(templates.transactions.length).toBeGreaterThanOrEqual(4);
    expect(templates.invariants.length).toBeGreaterThanOrEqual(2);
    expect(templates.invariants.filter((each) => each.unjudged !== undefined)).toEqual([]);
  });

  it.each(SHIPPED_RACES.map(({ name }) => name))('%s is taken whole', async (name) => {
    const { templates, refused } = await imported(textOf(name), dialect);
    expect([refused, templates.approximated]).toEqual([[], []]);
    expect(templates.invariants.map(({ unjudged }) => unjudged)).toEqual([undefined]);
  });

  // A server that may run a write twice cannot tell what it read beside it: half of the statements there.
  it.skipIf(dialect.capabilities.capture?.reattempts === true).each(shippedFor(dialect).map(({ name }) => name))(
    '%s shows exactly what at least 85 of 100 of its statements read',
    async (name) => {
      const { templates } = await imported(textOf(name), dialect);
      const probed = instrument(workloadCase('exact', templates, { mode: 'stress' }), {
        mode: 'exact',
        capabilities: dialect.capabilities,
        images: true,
      });
      const tags = probed.sessions.flatMap(({ transactions }) =>
        transactions.flatMap(({ statements }) => statements.map(({ probe }) => probe.reads)),
      );
      expect(tags.filter((tag) => tag === 'exact').length / tags.length).toBeGreaterThanOrEqual(0.85);
    },
  );

  it('with ten broken or unsupported statements is refused with ten reasons, each with its line', async () => {
    const { refused } = await imported(BROKEN_FILE, dialect);
    expect(refused.map(({ line }) => line)).toEqual(BROKEN_LINES);
    expect(new Set(refused.map(({ reason }) => reason)).size).toBe(BROKEN_LINES.length);
  });
});

describe('a shipped file', () => {
  it('of a race is listed, so that it is found by its name', () => {
    const folder = fileURLToPath(new URL('../../../../workloads/races', import.meta.url));
    expect(
      readdirSync(folder)
        .map((name) => `races/${name.replace(/\.sql$/, '')}`)
        .toSorted(),
    ).toEqual(SHIPPED_RACES.map(({ name }) => name).toSorted());
  });

  it.each(NAMES)('%s is the same case on every DBMS', async (name) => {
    const cases = await Promise.all(
      IMPORTING.map(async (dialect) => {
        const { templates } = await imported(textOf(name), dialect);
        const { sessions } = workloadCase('same', templates, { mode: 'schedule' });
        return JSON.stringify(
          sessions.map(({ transactions }) => transactions.map(({ id, statements, end }) => [id, end, statements.map(({ kind }) => kind)])),
        );
      }),
    );
    expect(new Set(cases).size).toBe(1);
  });
});
