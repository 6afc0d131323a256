/**
 * Dependencies beside the serial orders, on real servers: an anomaly that no reply shows and no row that is left is found where
 * the level allows it, named, and found again; at SERIALIZABLE the same program has none.
 */
import { expect, it } from 'vitest';
import { judge } from '../../check/index.ts';
import type { Level } from '../../core/level/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { exploreProgram } from '../../src/explore/explore-program.ts';
import type { ExploredProgram } from '../../src/explore/explore-program.ts';
import { askDependencies } from '../../src/explore/oracles/dependencies.ts';
import { Probes } from '../../src/explore/probes.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

describeEachServer('an anomaly that no reply shows', ({ dialect, start, target }) => {
  const suite = sharedServer({ target, dialect, start });

  /** EXISTS reads the row, another session sets it, then it is set to a value of its own: that it was there, both orders say. */
  async function explored(wanted: Level): Promise<ExploredProgram> {
    const { url } = suite.server;
    const level = dialect.levels.find((each) => each.level === wanted)!;
    const catalogue = new Catalogue(createRandom('1'), { capabilities: dialect.capabilities, canForceIndexes: false });
    const program = catalogue.program({
      skeleton: 'write beside lost update',
      world: 'two parents',
      'reads 1': 'exists',
      'writes 1': 'set by index',
      'writes 2': 'set by index',
    });
    const namespace = `anomalist_hidden_${wanted.replace('-', '_')}`;
    const runner = await ServerRunner.open({ dialect, url, level, namespace, fixtures: [program.fixture] });
    const probes = new Probes({ dialect, url, level, signal: new AbortController().signal });
    try {
      return await exploreProgram(runner, program, {
        orders: 'pruned',
        most: 400,
        samples: 60,
        random: createRandom('1'),
        beginsCommute: dialect.closerIsVictim === true,
        ask: (asked, played) => askDependencies(probes, asked, played, (anomaly) => judge(anomaly, wanted, {}, dialect.promises, dialect)),
      });
    } finally {
      await probes.close();
      await runner.close();
    }
  }

  it('is found at READ COMMITTED', async () => {
    const { found, asked } = await explored('read-committed');
    expect(found).toEqual([]);
    expect(asked?.hidden?.shown).toMatchObject({ anomaly: { class: 'G-single-item' }, judgement: { verdict: 'documented' } });
  });

  it('is not there at SERIALIZABLE', async () => {
    const { found, asked } = await explored('serializable');
    expect(found).toEqual([]);
    // It was asked, and had nothing to say.
    expect(asked).toEqual({});
  });
});
