/**
 * The matrix of pairs on real servers. A look that takes no note of what it read is planted: its statement is sent
 * outside its transaction. Each must be found, and nothing may be found of serial orders. By day a few looks, at night
 * ANOMALIST_PLANTED_LOOKS=30.
 */
import { expect, it } from 'vitest';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { Program } from '../../core/program/index.ts';
import { Catalogue, PAIR_PHENOMENA, createRandom } from '../../schema-gen/index.ts';
import { PairWork } from '../../src/explore/pair-matrix/pair-work.ts';
import type { ProgramRunner } from '../../src/explore/program-runner.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { describeEachServer } from './each-server.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { sharedServer } from './suite-server.ts';

const PLANTED = Number(process.env['ANOMALIST_PLANTED_LOOKS'] ?? 4);
/** A look has its first turn in the first fixture where a change matters to it. */
const MOST_PAIRS = 60;
const WRITE_SKEW = PAIR_PHENOMENA.filter(({ everywhere }) => everywhere);

/** Sends a plain look on another connection, where no transaction is open. In its place the transaction reads the row beside. */
class LooksOutside implements ProgramRunner {
  private readonly inner: ServerRunner;
  private readonly outside: Connection;
  private readonly print: (program: Program) => string;
  private look: string | undefined;

  constructor(inner: ServerRunner, outside: Connection, print: (program: Program) => string) {
    this.inner = inner;
    this.outside = outside;
    this.print = print;
  }

  async load(program: Program): Promise<void> {
    const isPair = program.telling !== undefined;
    this.look = isPair ? this.print(program) : undefined;
    const [looking, changing] = program.transactions;
    const [readBeside] = changing?.steps ?? [];
    await this.inner.load(
      isPair ? { ...program, transactions: [{ ...looking!, steps: [readBeside!, ...looking!.steps.slice(1)] }, changing!] } : program,
    );
  }

  async step(session: number, step: number): ReturnType<ProgramRunner['step']> {
    const replied = await this.inner.step(session, step);
    if (this.look === undefined || session !== 0 || step !== 0) return replied;
    const { rows } = await this.outside.query(this.look);
    return replied.map((each) => (each.session === 0 ? { ...each, reply: { ...each.reply, rows, affected: rows.length } } : each));
  }

  readonly reset: ProgramRunner['reset'] = (state) => this.inner.reset(state);
  readonly anyReply: ProgramRunner['anyReply'] = () => this.inner.anyReply();
  readonly abandon: ProgramRunner['abandon'] = () => this.inner.abandon();
  readonly state: ProgramRunner['state'] = () => this.inner.state();
}

describeEachServer(
  'the matrix of pairs',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const level = dialect.levels.find((each) => each.level === 'serializable')!;

    async function catalogueOf(...only: readonly string[]): Promise<Catalogue> {
      const capabilities = await capabilitiesOf(dialect, suite.server.url);
      return new Catalogue(createRandom('pairs'), {
        capabilities,
        canForceIndexes: dialect.indexPlans !== undefined,
        ...(only.length > 0 && { only }),
      });
    }

    async function workedOn(
      catalogue: Catalogue,
      { planted, serially, most }: { readonly planted: boolean; readonly serially: boolean; readonly most: number },
    ): Promise<PairWork> {
      const matrix = catalogue.pairMatrix();
      const namespace = `anomalist_pairs_${planted ? 'planted' : 'control'}`;
      const place = { dialect, url: suite.server.url, level, namespace };
      let run = 0;
      const work: PairWork = new PairWork({
        matrix,
        sought: planted ? WRITE_SKEW : PAIR_PHENOMENA,
        serially,
        random: createRandom('turns'),
        enough: () => run >= most || (planted && work.found.length > 0),
        heard: (sums) => (run = sums.run),
      });
      const runner = await ServerRunner.open({ ...place, fixtures: matrix.sites.map(({ row }) => row.fixture) });
      const outside = await dialect.connect(suite.server.url, {});
      try {
        const text = (program: Program): string => textOf(dialect, program, namespace);
        await work.by(planted ? new LooksOutside(runner, outside, text) : runner);
      } finally {
        await outside.end();
        await runner.close();
      }
      return work;
    }

    it(`finds each of ${PLANTED} looks that leave no note of what they read`, async () => {
      const { sites } = (await catalogueOf('two rows')).pairMatrix();
      const plain = sites[0]!.looks.filter(({ steps }) => steps.length === 1 && steps[0]!.plainRead);
      const names = createRandom('planted').shuffle([...new Set(plain.map(({ form: { name } }) => name))]);
      for (const name of names.slice(0, PLANTED)) {
        const { found, ...work } = await workedOn(await catalogueOf(name, 'two rows', 'add', 'insert'), {
          planted: true,
          serially: false,
          most: MOST_PAIRS,
        });
        const [first] = found;
        console.log(`${target}: ${name}: pair ${first?.program.number} shows it`);
        expect(work, name).toBeDefined();
        expect(first?.found[0]?.difference.kind, name).toBe('skew');
      }
    });

    it('finds nothing of serial orders', async () => {
      const work = await workedOn(await catalogueOf('one row', 'parent and child'), { planted: false, serially: true, most: 200 });
      expect(work.found.map(({ program: { made } }) => made)).toEqual([]);
      expect(work.report().rounds.reduce((sum, { run }) => sum + run, 0)).toBe(200);
    });
  },
  { protocol: true },
);

function textOf(dialect: Dialect, { transactions: [looking] }: Program, namespace: string): string {
  return dialect.print(looking!.steps[0]!.statement, namespace);
}
