/** One statement among others on real servers: a plain one sees a state of the database, what else it may be the rows of single-run violations say. */
import { expect, it } from 'vitest';
import { judgeViolation } from '../../check/index.ts';
import { firstState } from '../../core/program/index.ts';
import type { Expression, Lock, Statement, Table } from '../../core/sql/index.ts';
import type { Program } from '../../core/program/index.ts';
import { SingleStates } from '../../src/explore/oracles/single-state.ts';
import type { Judged } from '../../src/explore/oracles/single-state.ts';
import { again, play } from '../../src/explore/play.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { describeEachServer } from './each-server.ts';
import { POSTGRES_WIRE, wireOf } from './message-proxy.ts';
import { sharedServer } from './suite-server.ts';

const TABLE: Table = {
  name: 't',
  columns: ['k', 'v'].map((name) => ({ name, type: { kind: 'integer' }, nullable: false })),
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [
    [1, 10],
    [2, 20],
  ],
};
const column = (name: string): Expression => ({ kind: 'column', table: 't', column: name });
const number = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
const step = (statement: Statement, plainRead = false): Program['transactions'][number]['steps'][number] => ({
  statement,
  tables: ['t'],
  plainRead,
});

/** The first one changes a row and adds another; the second reads all. */
function programOf(lock?: Lock): Program {
  const all: Statement = {
    kind: 'select',
    items: ['k', 'v'].map((name) => ({ expression: column(name), alias: name })),
    from: { kind: 'table', table: 't', alias: 't' },
    ...(lock && { lock }),
  };
  const set: Statement = {
    kind: 'update',
    table: 't',
    set: [{ column: 'v', value: number(11) }],
    where: { kind: 'compare', op: '=', left: column('k'), right: number(1) },
  };
  const add: Statement = { kind: 'insert', table: 't', columns: ['k', 'v'], rows: [[number(3), number(30)]] };
  return {
    number: 0,
    made: {},
    fixture: { name: 'one table', tables: [TABLE], byIndex: false },
    transactions: [
      { steps: [step(set), step(add)], end: 'commit' },
      { steps: [step(all, lock === undefined)], end: 'commit' },
    ],
  };
}

describeEachServer(
  'a statement and the states of the database',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let runners = 0;

    /** Of the reader's statement, which comes in between the changes and their COMMIT. */
    async function judged(program: Program): Promise<Judged> {
      const level = dialect.levels.find((each) => each.level === 'read-committed')!;
      const runner = await ServerRunner.open({
        dialect,
        url: suite.server.url,
        level,
        namespace: `anomalist_state_${runners++}`,
        fixtures: [program.fixture],
      });
      try {
        await runner.load(program);
        const played = (await play(runner, program, firstState(program.fixture), again([0, 0, 1, 0, 1])))!;
        expect(played.outcome.transactions.map(({ end }) => end)).toEqual(['committed', 'committed']);
        const states = new SingleStates(runner, program);
        return await states.judge(
          played,
          states.sitesOf(played).find(({ session }) => session === 1)!,
        );
      } finally {
        await runner.close();
      }
    }

    it('finds a plain SELECT at READ COMMITTED on one', async () => {
      expect(await judged(programOf())).toBe('one state');
    });

    it('finds a SELECT FOR UPDATE that has waited on none where the documents say so, and else on one', async () => {
      const answer = await judged(programOf({ strength: 'update' }));
      if (wireOf(suite.server.url) !== POSTGRES_WIRE) return expect(answer).toBe('one state');
      expect(answer).toMatchObject({
        reading: 'locking',
        seen: [
          'session 2, statement 1: (1, 11) (2, 20)',
          'alone, before any other had committed: (1, 10) (2, 20)',
          'alone, after session 1: (1, 11) (2, 20) (3, 30)',
        ],
      });
      const of = { kind: 'part of a transaction', reading: 'locking' } as const;
      expect(judgeViolation(of, 'read-committed', dialect).verdict).toBe('documented');
      expect(judgeViolation(of, 'repeatable-read', dialect).verdict).toBe('bug');
    });
  },
  { fits: ({ ranLive }) => ranLive },
);
