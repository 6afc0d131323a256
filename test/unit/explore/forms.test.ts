/** What a row of the catalogue says of a form, on the model: it succeeds alone, a way to read tells whether the item is there, a way to write writes. */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import type { Program, FixtureState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Outcome } from '../../../src/explore/outcome.ts';
import { replyKey } from '../../../src/explore/outcome.ts';
import { oneByOne, play } from '../../../src/explore/play.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';

/** They tell it by their locks alone: there is nothing for them to do either way. */
const SILENT = [
  'merge of nothing',
  'merge that declines',
  'update of nothing',
  'update of nothing in a WITH',
  'update of none by value',
  'delete of nothing',
];
const catalogue = new Catalogue(createRandom('forms'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const alone = [...catalogue.alone()];

async function run(program: Program, from: FixtureState): Promise<Outcome> {
  const runner = new ModelRunner({ rule: 'serializable', random: () => createRandom('model') });
  await runner.load(program);
  return (await play(runner, program, from, oneByOne([0])))!.outcome;
}

describe('each form', () => {
  it('succeeds alone, but for the statement that is to fail', async () => {
    for (const { fails, program } of alone) {
      const { replies, end } = (await run(program, firstState(program.fixture))).transactions[0]!;
      const errors = replies.flatMap(({ error }) => (error === undefined ? [] : [error]));
      const what = `${JSON.stringify(program.made)}: ${errors.map(({ message }) => message).join('; ')}`;
      expect(end, what).toBe('committed');
      expect(
        errors.map((error) => error.class),
        what,
      ).toEqual(fails ? ['constraint'] : []);
    }
  });

  it('that reads answers or notes down something else where the item is not as it was', async () => {
    const telling = new Set<string>();
    const reads = alone.filter(({ kind }) => kind === 'reads');
    for (const { name, item, program } of reads) {
      const first = firstState(program.fixture);
      const [one, other] = [await run(program, first), await run(program, otherwise(first, item))];
      const log = program.fixture.tables.at(-1)!.name;
      const told = ({ transactions, state }: Outcome): string => JSON.stringify([transactions[0]!.replies.map(replyKey), state[log]]);
      if (told(one) !== told(other)) telling.add(name);
    }
    const silent = [...new Set(reads.map(({ name }) => name))].filter((name) => !telling.has(name));
    expect(silent.toSorted()).toEqual(SILENT.toSorted());
  });

  it('that writes changes a row somewhere', async () => {
    const writing = new Set<string>();
    const writes = alone.filter(({ kind }) => kind === 'writes');
    for (const { name, program } of writes) {
      const { replies } = (await run(program, firstState(program.fixture))).transactions[0]!;
      if (replies.some(({ affected }) => affected > 0)) writing.add(name);
    }
    expect([...new Set(writes.map(({ name }) => name))].filter((name) => !writing.has(name))).toEqual([]);
  });
});

/** The item gone, or there. */
function otherwise(state: FixtureState, { table, key, keyValue, groupValue, present }: (typeof alone)[number]['item']): FixtureState {
  const rows = state[table]!;
  return {
    ...state,
    [table]: present ? rows.filter(([k]) => k !== String(keyValue)) : [...rows, [String(keyValue), String(groupValue), String(10 * key)]],
  };
}
