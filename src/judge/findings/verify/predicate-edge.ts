/** Checks predicate edges by the server's evaluation of the versions that the statement can have seen (docs/PREDICATES.md). */
import type { Predicate, Step, Stmt } from './certified.ts';
import { chainOf } from './chain.ts';
import type { Facts } from './facts.ts';
import { isChangedByActions, mayHaveLookedTwice, metVersions, seenVersions } from './seen-versions.ts';
import type { View } from './seen-versions.ts';
import type { Row } from './versions.ts';

/** `trust`: the run's word counts that a subquery was evaluated. Returns undefined if the edge follows, otherwise the reason why not. */
export function predicateEdge(facts: Facts, rows: ReadonlyMap<string, Row>, step: Step, trust: boolean): string | undefined {
  const { cert } = facts;
  const row = rows.get(step.row ?? '');
  const [source, target] = [facts.statementAt(step.fromStatement), facts.statementAt(step.toStatement)];
  const [stmt, other] = step.rel === 'rwp' ? [source, target] : [target, source];
  if (!row || row.table !== step.table || (source?.txn ?? 0) !== step.from || target?.txn !== step.to || !stmt)
    return 'the statements are not of these transactions, or the row is another';
  const chain = chainOf(facts, row);
  if (!chain || !cert.complete || cert.instrument !== 'exact' || cert.level === 'read-uncommitted')
    return `the versions of row ${row.name} are not all known`;
  if (!facts.committed.has(stmt.txn) || !facts.counts(stmt) || stmt.incomplete || stmt.reads !== 'exact' || stmt.replied === null)
    return 'the statement does not show all that it read';
  const reads = cert.predicates.filter(
    (each) =>
      each.txn === stmt.txn && each.number === stmt.number && each.table === row.table && (trust || !(each.conditional || each.met)),
  );
  const match: View['match'] = (read, v) => (v === undefined || v.dead ? false : read.all ? true : read.matches[row.name]?.[v.key]);
  const own = cert.statements.filter((each) => each.txn === stmt.txn && each.number < stmt.number);
  const follows = (some: readonly Predicate[]): string | undefined => {
    const view: View = { facts, row, chain, stmt, replied: stmt.replied!, own, reads: some, match };
    const met = some[0]?.met === true;
    if (!met && mayHaveLookedTwice(view)) return 'the statement may have looked at the row twice';
    const seen = met ? metVersions(view) : seenVersions(view);
    if (typeof seen === 'string') return seen;
    if (some.length === 0 || seen.length === 0) return 'the server said nothing of the condition that fits';
    const places = seen.map((v) => (v ? chain.findIndex(({ txn }) => txn === v.txn) + 1 : 0));
    return some.some((read) => (step.rel === 'rwp' ? changesLater : changedLast)(view, read, places, step, other))
      ? undefined
      : 'no change of what the condition matches is certain';
  };
  // Each key probe is a read of its own.
  const why = [reads.filter(({ met }) => !met), ...reads.filter(({ met }) => met).map((read) => [read])].map(follows);
  return why.includes(undefined) ? undefined : why[0];
}

type Change = (view: View, read: Predicate, places: readonly number[], step: Step, other: Stmt | undefined) => boolean;

/** For rwp: the other transaction changed what the condition matches, after every version that the statement can have seen. */
const changesLater: Change = ({ facts, chain, stmt, match }, read, places, { to }, other) => {
  const at = (n: number): boolean | undefined => match(read, chain[n - 1]);
  for (let n = Math.max(...places) + 1; n <= chain.length; n++) {
    if (
      chain[n - 1]!.txn === to &&
      to !== stmt.txn &&
      facts.byWrite.get(chain[n - 1]!.key) === other &&
      at(n) !== undefined &&
      at(n - 1) === !at(n)
    )
      return true;
  }
  return false;
};

/** For wrp: the other transaction made the last change before what the statement can have seen. The versions in between all match alike. */
const changedLast: Change = ({ facts, row, chain, stmt, own, match }, read, places, { from }, other) => {
  const at = (n: number): boolean | undefined => match(read, chain[n - 1]);
  const acted = isChangedByActions(facts.cert, row.table) && own.some(({ seq, undone }) => seq !== undefined && !undone);
  const wrote = acted ? chain.findIndex(({ txn }) => txn === stmt.txn) + 1 : 0;
  const [low, high] = [Math.min(...places, wrote || Infinity), Math.max(...places, wrote)];
  if (at(low) === undefined || Array.from({ length: high - low }, (_, i) => at(low + i + 1)).some((each) => each !== at(low))) return false;
  const lowest = row.birth.startsWith('0.') ? 1 : 0;
  let run = low;
  while (run > lowest && at(run - 1) === at(low)) run--;
  const change = run > 0 && (run === 1 && lowest === 1 ? at(run) === true : at(run - 1) === !at(run));
  return change && chain[run - 1]!.txn === from && from !== stmt.txn && facts.byWrite.get(chain[run - 1]!.key) === other;
};
