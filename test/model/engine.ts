/**
 * The model in the place of a server for the step after a run that evaluates predicates: "SQL" is a number under which
 * the statement is kept, and the scratch tables are tables of the model.
 */
import { DatabaseError } from '../../core/base/index.ts';
import { HistoryBuilder } from '../../core/history/index.ts';
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { Connection, Dialect, QueryResult } from '../../core/dialect/index.ts';
import type { ProbedCase } from '../../core/program/index.ts';
import type { HistoryEvent, RoundEvent } from '../../core/history/index.ts';
import { evaluatePredicates } from '../../src/execute/index.ts';
import { MODEL_CAPABILITIES } from './capabilities.ts';
import { answerQuery } from './query.ts';
import type { Source } from './query.ts';
import type { ModelRun } from './run-model.ts';
import { createTables, isLive, newest } from './store.ts';
import type { StoredTable } from './store.ts';
import { canonicalText } from './values.ts';

/** The run with the events that the evaluation adds, as src/execute's rounds add them: before the close. */
export async function withPredicates(run: ModelRun, probed: ProbedCase): Promise<ModelRun> {
  const close = run.events.at(-1)!;
  const added: readonly HistoryEvent[] = await evaluatePredicates({
    history: run.history,
    probedCase: probed,
    ...engine(),
    namespace: 'scratch',
  });
  const events = [...run.events.slice(0, -1), ...added, close];
  const builder = new HistoryBuilder(events.find((event): event is RoundEvent => event.e === 'round')!);
  for (const event of events) builder.add(event);
  return { ...run, events, history: builder.finish() };
}

function engine(): { readonly dialect: Dialect; readonly connection: Connection } {
  const statements: Statement[] = [];
  let tables: readonly StoredTable[] = [];
  const source: Source = {
    table: (name) => tables.find((table) => table.definition.name === name)!,
    view: (name) => {
      throw new DatabaseError(`there is no view ${name}`);
    },
    scan: (table) => table.rows.map(newest).filter(isLive),
    read: () => undefined,
    lock: () => true,
  };
  const dialect: Pick<Dialect, 'capabilities' | 'print' | 'createNamespace' | 'dropNamespace' | 'classifyError'> = {
    capabilities: MODEL_CAPABILITIES,
    print: (statement) => String(statements.push(statement) - 1),
    createNamespace: (_, schema: Schema) => {
      tables = createTables(schema);
      return [];
    },
    dropNamespace: () => Promise.resolve(),
    classifyError: (error) => ({ code: 'XX000', class: 'other', scope: 'statement', message: String(error) }),
  };
  const connection: Pick<Connection, 'query'> = {
    // The evaluation of a condition that fails must be a rejection, not a throw.
    query: async (sql): Promise<QueryResult> => {
      const statement = statements[Number(sql)]!;
      if (statement.kind !== 'select') throw new DatabaseError(`the step sent a ${statement.kind}`);
      const { columns, rows } = answerQuery(statement, source);
      return { columns, rows: rows.map((row) => row.map(canonicalText)), affected: rows.length };
    },
  };
  return { dialect: dialect as Dialect, connection: connection as Connection };
}
