/**
 * Finds the smallest case that still shows the finding, by delta debugging on the server. It removes transactions,
 * statements, tables, rows, constraints and columns, then simplifies clauses, values and the order, until no pass finds
 * anything. The caller decides whether a candidate shows the finding (`shows`), and gives the budget.
 *
 * It can be stopped at any time. The present case always shows the finding, and a later reduction may go on from it.
 */
import type { ReductionReport, TestCase } from '../../../core/index.ts';
import { caseSize } from './case-size.ts';
import { readable } from './readable.ts';
import { Search } from './search.ts';
import type { SearchOptions } from './search.ts';
import { autocommits, plainBegins, plainSends, simplerSchedules } from './simpler-schedule.ts';
import { withoutColumns, withoutConstraints, withoutUnused } from './simpler-schema.ts';
import { withoutRoutines } from './without-routines.ts';
import { plainStatements, simplerClauses } from './simpler-statements.ts';
import { simplerValues } from './simpler-values.ts';
import { keepStatements, stepsOf, transactionsOf } from './steps.ts';

export interface ReduceOptions extends SearchOptions {
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

export interface Reduced {
  readonly testCase: TestCase;
  readonly report: ReductionReport;
}

const MOST_ROUNDS = 5;

export async function reduceCase(start: TestCase, options: ReduceOptions): Promise<Reduced> {
  const began = options.now();
  const search = new Search(withWholeSchedule(start), options);
  for (let round = 0; round < MOST_ROUNDS && !search.over; round++) {
    const before = search.current;
    await passes(search);
    if (search.current === before) break;
  }
  const complete = !search.over;
  // The readable form takes one execution beyond the budget.
  const read = readable(search.current);
  const other = JSON.stringify(read) !== JSON.stringify(search.current);
  const testCase = other && (await options.shows(read)) ? read : search.current;
  return {
    testCase,
    report: {
      before: caseSize(start),
      after: caseSize(testCase),
      executions: search.executions + (other ? 1 : 0),
      seconds: (options.now() - began) / 1000,
      complete,
    },
  };
}

async function passes(search: Search): Promise<void> {
  await search.shrink(
    'transactions',
    (current) => transactionsOf(current).length,
    (current, from, to) => {
      const gone = new Set(
        transactionsOf(current)
          .slice(from, to)
          .map(({ id }) => id),
      );
      return keepStatements(current, ({ id }) => !gone.has(id));
    },
  );
  await search.edits('triggers', withoutRoutines);
  await search.edits('tables', withoutUnused);
  await search.shrink(
    'statements',
    (current) => places(current).length,
    (current, from, to) => {
      const gone = new Set(places(current).slice(from, to));
      return keepStatements(current, ({ id }, place) => !gone.has(`${id} ${place}`));
    },
  );
  await search.edits('savepoints', withoutSavepoints);
  await search.edits('tables', withoutUnused);
  await search.shrink('rows', (current) => current.schema.tables.reduce((sum, { rows }) => sum + rows.length, 0), withoutRows);
  await search.edits('constraints', withoutConstraints);
  await search.edits('statements', plainStatements);
  await search.edits('tables', withoutUnused);
  await search.edits('clauses', simplerClauses);
  await search.edits('columns', withoutColumns);
  await search.edits('tables', withoutUnused);
  await search.edits('schedule', simplerSchedules);
  await search.edits('begin', plainBegins);
  await search.edits('send', plainSends);
  await search.edits('autocommit', autocommits);
  await search.edits('values', simplerValues);
}

/** The schedule names every step, so that removing some leaves the others in place. */
function withWholeSchedule(testCase: TestCase): TestCase {
  return { ...testCase, schedule: stepsOf(testCase).map(({ session }) => session) };
}

function places(current: TestCase): readonly string[] {
  return transactionsOf(current).flatMap(({ id, statements }) => statements.map((_, place) => `${id} ${place}`));
}

/** Removes a savepoint with all statements that name it. */
function* withoutSavepoints(current: TestCase): Generator<TestCase> {
  for (const txn of transactionsOf(current)) {
    const names = new Set(txn.statements.flatMap((statement) => (statement.kind === 'savepoint' ? [statement.name] : [])));
    for (const gone of names)
      yield keepStatements(
        current,
        ({ id, statements }, place) =>
          id !== txn.id || !('name' in statements[place]!) || (statements[place] as { name: string }).name !== gone,
      );
  }
}

function withoutRows(current: TestCase, from: number, to: number): TestCase {
  let first = 0;
  const tables = current.schema.tables.map((table) => {
    const before = first;
    first += table.rows.length;
    return { ...table, rows: table.rows.filter((_, i) => before + i < from || before + i >= to) };
  });
  return { ...current, schema: { ...current.schema, tables } };
}
