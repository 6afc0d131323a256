/** Programs that the probes cannot run say why, and no others. */
import { expect, it } from 'vitest';
import type { Capabilities } from '../../../core/dialect/index.ts';
import { mysql, postgres } from '../../../dialects/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { unprobed } from '../../../src/explore/unprobed.ts';

const { capabilities } = postgres;

function reasons(only: readonly string[], has: Capabilities = capabilities): ReadonlySet<string | undefined> {
  const catalogue = new Catalogue(createRandom('7'), { capabilities: has, canForceIndexes: false, only });
  return new Set(Array.from({ length: 20 }, () => unprobed(catalogue.next()!)));
}

it('names the trigger and the column that the server computes', () => {
  expect([...reasons(['a stored column', 'point'])]).toEqual([
    'no probes are made beside a column that the server computes: what it holds is not collected',
  ]);
  expect([...reasons(['counts changes', 'point'])]).toEqual([
    'no probes are made beside a trigger: what it reads and writes is not collected',
  ]);
});

it('names the address of a row, and the LIMIT of a write', () => {
  expect([...reasons(['write skew', 'all by address', 'a gap'])]).toEqual([
    'no probes are made of a condition on ctid: the address of a row is not among what is collected',
  ]);
  expect([...reasons(['dirty write', 'set of the next by key'], mysql.capabilities)]).toContain(
    'no probes are made of an UPDATE or DELETE with LIMIT: which rows it looked at before it stopped is not collected',
  );
});

it('says nothing of all others', () => {
  const { triggers: _, generated: __, rowAddresses: ___, ...others } = capabilities;
  expect([...reasons([], others)]).toEqual([undefined]);
});
