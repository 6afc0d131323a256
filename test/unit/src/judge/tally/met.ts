/** Graphs of two transactions whose statements are of known forms. */
import type { Statement } from '../../../../../core/sql/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import type { DependencyGraph } from '../../../../../core/history/index.ts';
import { inferDependencies } from '../../../../../infer/index.ts';
import { schemaOf, statementOf } from '../../../../sql.ts';
import { historyFromText } from '../../../history-text.ts';

const SCHEMA = schemaOf('CREATE TABLE t (v int)');

export const STATEMENTS: Readonly<Record<'select' | 'update', Statement>> = {
  select: statementOf(SCHEMA, 'SELECT v FROM t AS a'),
  update: statementOf(SCHEMA, 'UPDATE t SET v = 1'),
};

const TEXTS: Readonly<Record<string, string>> = {
  'select update': 't1: r x ,0.0; commit\nt2: w x ,0.0,2.1; commit',
  'update select': 't1: w x ,0.0,1.1; commit\nt2: r x ,0.0,1.1; commit',
  'update update': 't1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; commit',
};

/** One dependency, from a statement of the first form to one of the second. */
export function met(from: keyof typeof STATEMENTS, to: keyof typeof STATEMENTS): readonly [DependencyGraph, TestCase] {
  return graphOf(TEXTS[`${from} ${to}`]!, [[STATEMENTS[from]], [STATEMENTS[to]]]);
}

/** The text of a history, and what each of its transactions has planned. */
export function graphOf(text: string, plans: readonly (readonly Statement[])[]): readonly [DependencyGraph, TestCase] {
  const history = historyFromText(text);
  const places = Int32Array.from(history.statements.kind, (kind) => (kind === 'begin' || kind === 'commit' ? -1 : 0));
  const planned = { ...history, round: { ...history.round, sessions: 2000 }, statements: { ...history.statements, plan: places } };
  const sessions = plans.map((statements, i) => ({ transactions: [{ id: i + 1, statements, end: 'commit' as const, autocommit: false }] }));
  return [inferDependencies(planned), { seed: '1', schema: { tables: [] }, sessions }];
}
