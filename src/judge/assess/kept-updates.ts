/**
 * Finds cycles that are lost updates by their edges although no update is lost. The writer computed the new values from
 * the ones that it replaced (SET stock = stock - 1). So they include the other change. For a user's own transactions such
 * a cycle is reported as a row that was read twice and changed in between. The class and the violated levels stay the
 * same, because the definition of a lost update is about versions, not values.
 */
import { NONE, contentsOf } from '../../../core/index.ts';
import type { Anomaly, CycleStep, Expression, History, Statement, TestCase, Update } from '../../../core/index.ts';

export function withKeptUpdates(anomaly: Anomaly, history: History, testCase: TestCase): Anomaly {
  const [read, ...others] = startingAtRead(anomaly);
  const overwritten = others.at(-1);
  if (anomaly.shapes[0] !== 'lost update' || read === undefined || overwritten?.rel !== 'ww') return anomaly;
  const reader = statementAt(read.fromStatement, history, testCase);
  const writer = statementAt(overwritten.toStatement, history, testCase);
  if (reader === undefined || writer?.kind !== 'update' || !keeps(writer, reader)) return anomaly;
  const shapes = [
    'non-repeatable read' as const,
    ...anomaly.shapes.filter((shape) => shape !== 'lost update' && shape !== 'non-repeatable read'),
  ];
  const T = `T${overwritten.to}`;
  return {
    ...anomaly,
    shapes,
    // A cycle of the same statements that does lose an update is another finding.
    fingerprint: `${anomaly.fingerprint}|kept`,
    explanation: `${anomaly.explanation.replace(/^Lost update/, 'Non-repeatable read')} No update is lost: ${T} computes the new values from those that it replaces, so what ${T} had read before may be out of date and what it wrote is not.`,
  };
}

/** Returns the cycle with the edge of the stale read first. */
function startingAtRead({ cycle }: Anomaly): readonly CycleStep[] {
  const at = cycle.findIndex(({ rel }) => rel === 'rw');
  return at < 0 ? [] : [...cycle.slice(at), ...cycle.slice(0, at)];
}

function statementAt(s: number | undefined, { statements, transactions }: History, { sessions }: TestCase): Statement | undefined {
  if (s === undefined || s === NONE) return undefined;
  const id = transactions.id[statements.txn[s]!];
  const plan = sessions.flatMap((session) => session.transactions).find((each) => each.id === id);
  return plan?.statements[statements.plan[s]!];
}

/** True if each value is computed from the one that it replaces, or does not depend on the read. */
function keeps({ table, set }: Update, reader: Statement): boolean {
  const mentioned = new Set(contentsOf(reader).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : [])));
  return (
    set.some(({ column, value }) => buildsOn(value, table, column)) &&
    set.every(({ column, value }) => buildsOn(value, table, column) || (value.kind === 'literal' && !mentioned.has(column)))
  );
}

/** Accepts `c + 1`, `c - :n`, `c + 2 - 1`. */
function buildsOn(value: Expression, table: string, column: string): boolean {
  if (value.kind !== 'arithmetic' || value.op === '*') return false;
  const isOwn = (each: Expression): boolean =>
    (each.kind === 'column' && each.table === table && each.column === column) || buildsOn(each, table, column);
  const given = (each: Expression): boolean => each.kind === 'literal' || each.kind === 'parameter';
  return (isOwn(value.left) && given(value.right)) || (value.op === '+' && given(value.left) && isOwn(value.right));
}
