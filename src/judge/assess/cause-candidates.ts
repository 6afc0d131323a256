/**
 * Selects the anomalies of a round that may have broken an invariant: those whose transactions wrote to a table that the
 * invariant reads. Each set of transactions occurs once. The smallest sets come first, then those that name values of the
 * broken rows.
 */
import { contentsOf, effectsOfStatement, loosely, writtenTables } from '../../../core/index.ts';
import type { Anomaly, Query, Schema, Statement, TestCase } from '../../../core/index.ts';
import type { InvariantAnswer } from '../../execute/index.ts';

export interface CandidateSetup {
  readonly testCase: TestCase;
  readonly anomalies: readonly Anomaly[];
  readonly query: Query;
  /** The rows that the invariant returned after the round. */
  readonly answer: Pick<InvariantAnswer, 'rows'>;
}

export interface CauseCandidate {
  readonly anomaly: Anomaly;
  /** Transactions of the case, without the initial state and the final read. */
  readonly ids: readonly number[];
}

export function causeCandidates({ anomalies, query, answer, testCase }: CandidateSetup): readonly CauseCandidate[] {
  const asked = tablesOf(query, testCase.schema);
  const held = new Set(answer.rows.flatMap((row) => row.flatMap((value) => (value === null ? [] : [loosely(value)]))));
  const planned = new Map(testCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan] as const)));
  const all = anomalies.flatMap((anomaly) => {
    const plans = [...new Set(anomaly.transactions)].flatMap((id) => planned.get(id) ?? []);
    const statements = plans.flatMap((plan) => plan.statements);
    const written = statements.flatMap(writtenTables);
    // A write by a trigger or function counts as a write of the transaction.
    const changed = [...written, ...statements.flatMap((each) => [...effectsOfStatement(testCase.schema, each).changes])];
    if (!changed.some((table) => asked.size === 0 || asked.has(table))) return [];
    const named = plans.filter((plan) => plan.statements.some((statement) => literalsIn(statement).some((each) => held.has(each))));
    const seen = anomaly.cycle.filter(({ rel }) => rel === 'wr').length;
    return [{ anomaly, ids: plans.map(({ id }) => id), apart: plans.length - named.length, seen }];
  });
  const sorted = all.toSorted((a, b) => a.ids.length - b.ids.length || a.apart - b.apart || a.seen - b.seen);
  const key = ({ ids }: CauseCandidate): string => String(ids.toSorted((a, b) => a - b));
  return [...new Map(sorted.toReversed().map((each) => [key(each), each])).values()].toReversed();
}

/** Empty: the query reads through a view, so any anomaly may matter. */
function tablesOf(query: Query, schema: Schema): ReadonlySet<string> {
  const { leaves } = contentsOf(query);
  if (leaves.some(({ kind }) => kind === 'view')) return new Set();
  const named = leaves.flatMap((leaf) => (leaf.kind === 'table' ? [leaf.table] : []));
  return new Set([...named, ...effectsOfStatement(schema, query).reads]);
}

function literalsIn(statement: Statement): readonly string[] {
  return contentsOf(statement).expressions.flatMap((each) => (each.kind === 'literal' && each.value !== null ? [loosely(each.value)] : []));
}
