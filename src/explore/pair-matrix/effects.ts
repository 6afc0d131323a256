/**
 * What each look of a site shows on a state of the tables. Two states on which a look shows the same are one to it, so a
 * change between them does not matter to the look. All looks run in one transaction if none fails. A look that is more than
 * queries runs behind a savepoint that is gone back to.
 */
import { isQuery } from '../../../core/sql/index.ts';
import type { FixtureState, Program, ProgramStep } from '../../../core/program/index.ts';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { PairSite } from '../../../schema-gen/index.ts';
import { readStatement, stateOf } from '../fixture-sql.ts';
import { replyKey } from '../outcome.ts';
import type { TxnResult } from '../outcome.ts';
import { oneByOne, play } from '../play.ts';
import type { ProgramRunner, Reply } from '../program-runner.ts';

/** Returns a text for each look. Equal texts: it shows the same, and does the same to the tables. */
export async function effectsOn(runner: ProgramRunner, site: PairSite, state: FixtureState): Promise<readonly string[]> {
  const { fixture } = site.row;
  const together = site.looks.map((look) => stepsTogether(site, look));
  const { replies, end } = await alone(runner, programOf(site, together.flat()), state);
  if (end !== 'committed') return effectsApart(runner, site, state);
  let at = 0;
  return together.map((steps, l) => {
    const own = replies.slice(at, (at += steps.length));
    if (isOfQueries(site.looks[l]!)) return own.map(replyKey).join();
    const [after] = own.slice(-2);
    return effectOf(own.slice(1, -2), state, stateOf(fixture, after!.rows));
  });
}

/** Runs each look in a transaction of its own, because a look failed that no savepoint undoes. */
async function effectsApart(runner: ProgramRunner, site: PairSite, state: FixtureState): Promise<readonly string[]> {
  const effects: string[] = [];
  for (const { steps } of site.looks) {
    const { replies, end } = await alone(runner, programOf(site, steps), state);
    effects.push(`${end} ${effectOf(replies, state, await runner.state())}`);
  }
  return effects;
}

type Look = PairSite['looks'][number];

/** Queries write nothing in the catalogue's fixtures. They may lock rows, which keeps nobody else from them here. */
function isOfQueries({ steps }: Look): boolean {
  return steps.every(({ statement }) => isQuery(statement));
}

function stepsTogether({ row: { fixture } }: PairSite, look: Look): readonly ProgramStep[] {
  if (isOfQueries(look)) return look.steps;
  const step = (statement: ProgramStep['statement']): ProgramStep => ({ statement, tables: [], plainRead: false });
  return [
    step({ kind: 'savepoint', name: 'before_look' }),
    ...look.steps,
    step(readStatement(fixture)),
    step({ kind: 'rollbackTo', name: 'before_look' }),
  ];
}

function programOf({ row: { fixture } }: PairSite, steps: readonly ProgramStep[]): Program {
  return { number: 0, made: {}, fixture, transactions: [{ steps, end: 'commit' }] };
}

async function alone(runner: ProgramRunner, program: Program, state: FixtureState): Promise<TxnResult> {
  await runner.load(program);
  return (await play(runner, program, state, oneByOne([0])))!.outcome.transactions[0]!;
}

function effectOf(replies: readonly Reply[], before: FixtureState, after: FixtureState): string {
  return JSON.stringify([replies.map(replyKey), changesBetween(before, after)]);
}

/** Returns the rows that came and went, by table. */
function changesBetween(before: FixtureState, after: FixtureState): unknown {
  return Object.keys(before)
    .toSorted()
    .map((table) => [missingIn(before[table]!, after[table] ?? []), missingIn(after[table] ?? [], before[table]!)]);
}

/** Returns the rows of the first list that the second one lacks, as texts in order. Equal rows count as often as they occur. */
function missingIn(rows: readonly ResultRow[], others: readonly ResultRow[]): readonly string[] {
  const left = others.map((row) => JSON.stringify(row));
  return rows
    .map((row) => JSON.stringify(row))
    .filter((row) => {
      const at = left.indexOf(row);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    })
    .toSorted();
}
