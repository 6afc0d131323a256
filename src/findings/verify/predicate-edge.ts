/** Predicate edges, from what the server said of the versions that the statement can have seen (docs/PREDICATES.md). */
import { LOCKING } from './certified.ts';
import type { Look, Step, Stmt } from './certified.ts';
import { tablesOf } from './facts.ts';
import type { Facts } from './facts.ts';
import type { Row, Version } from './versions.ts';

/** A statement that looked at every row of the table, with what is known of this one; undefined is the row before its birth. */
interface View {
  facts: Facts;
  row: Row;
  chain: readonly Version[];
  stmt: Stmt;
  replied: number;
  own: readonly Stmt[];
  looks: readonly Look[];
  match: (look: Look, v: Version | undefined) => boolean | undefined;
}

/** `trust`: that a subquery was read is taken from the run. Returns why it does not follow, undefined if it does. */
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
  const looks = cert.predicates.filter(
    (each) => each.txn === stmt.txn && each.number === stmt.number && each.table === row.table && (trust || !each.conditional),
  );
  const match: View['match'] = (look, v) => (v === undefined || v.dead ? false : look.all ? true : look.matches[row.name]?.[v.key]);
  const own = cert.statements.filter((each) => each.txn === stmt.txn && each.number < stmt.number);
  const view: View = { facts, row, chain, stmt, replied: stmt.replied, own, looks, match };
  if (mayHaveLookedTwice(view)) return 'the statement may have looked at the row twice';
  const seen = seenVersions(view);
  if (typeof seen === 'string') return seen;
  if (looks.length === 0 || seen.length === 0) return 'the server said nothing of the condition that fits';
  const places = seen.map((v) => (v ? chain.findIndex(({ txn }) => txn === v.txn) + 1 : 0));
  return looks.some((look) => (step.rel === 'rwp' ? changesLater : changedLast)(view, look, places, step, other))
    ? undefined
    : 'no change of what the condition matches is certain';
}

/** The installed versions from birth to a proven end, one of each transaction; undefined where that is not proven. */
function chainOf({ cert }: Facts, row: Row): Version[] | undefined {
  const all = [...row.versions.values()];
  const birth = row.versions.get(row.birth);
  if (birth?.fate !== 'committed' || birth.prev || all.some(({ fate }) => fate === 'unknown' || fate === 'thin air')) return undefined;
  const chain: Version[] = [];
  let [count, end] = [0, birth];
  for (let v: Version | undefined = birth; v; [end, v, count] = [v, v.next, count + 1]) {
    if (chain.at(-1)?.txn === v.txn) chain.pop();
    chain.push(v);
  }
  if (new Set(chain.map(({ txn }) => txn)).size < chain.length) return undefined;
  const finals = new Set(cert.statements.filter(({ kind, status }) => kind === 'final' && status === 'ok').map(({ txn }) => txn));
  const last = row.readings.filter(({ stmt, role }) => stmt.kind === 'final' && !stmt.incomplete && role === 'read');
  const seen = last.length === finals.size && last.every(({ at }) => at === end.key) && finals.size > 0;
  return count === all.filter(({ fate }) => fate === 'committed').length && (end.dead || seen) ? chain : undefined;
}

/** At READ COMMITTED a statement that waited for a lock looks again: then two versions of the row may have met its condition. */
function mayHaveLookedTwice({ facts: { cert, txns }, facts, row, chain, stmt, replied, looks }: View): boolean {
  const locks = (LOCKING.includes(stmt.kind) && tablesOf(stmt)?.includes(row.table) !== false) || stmt.locks?.includes(row.table) === true;
  if (cert.level !== 'read-committed' || !locks) return false;
  const locked =
    looks.length === 1 &&
    !looks[0]!.beside &&
    !looks[0]!.conditional &&
    row.readings.some((each) => each.stmt === stmt && (stmt.table === undefined || each.role !== 'read'));
  const changed = chain.some((v) => {
    const write = firstWrite(facts, row, v);
    return write && write.txn !== stmt.txn && write.sent <= replied && !((txns.get(write.txn)?.end ?? Infinity) < stmt.sent);
  });
  return changed && !locked;
}

function firstWrite({ byWrite }: Facts, { versions }: Row, v: Version): Stmt | undefined {
  return [...versions.values()]
    .filter(({ txn, fate }) => txn === v.txn && fate === 'committed')
    .sort((a, b) => a.seq - b.seq)
    .map(({ key }) => byWrite.get(key))[0];
}

/** The version that it returned, or all that it can have seen and not returned; or why neither is certain. */
function seenVersions(view: View): readonly (Version | undefined)[] | string {
  const { row, stmt, looks, match } = view;
  const returned = row.readings.filter((each) => each.stmt === stmt);
  if (returned.length === 0) return unreturned(view);
  const seen = [...new Set(returned.map(({ at }) => at))].map((at) => (at === undefined ? undefined : row.versions.get(at)));
  if (seen.length !== 1 || seen[0]?.fate !== 'committed') return 'the version that was returned is not certain';
  return looks.every((look) => !look.beside && match(look, seen[0]) === false)
    ? 'what the server said of the condition contradicts the result'
    : seen;
}

function unreturned({ facts, row, chain, stmt, replied, own, looks, match }: View): readonly (Version | undefined)[] | string {
  const undone = row.undone.some(
    (each) => each.sent <= replied && (each.txn === stmt.txn || (facts.txns.get(each.txn)?.over ?? Infinity) >= stmt.sent),
  );
  const hidden = own.some(
    (each) => ['delete', 'insert'].includes(each.kind) && (each.incomplete || each.seen.some(([role]) => role === 'delete')),
  );
  if (undone || hidden) return 'a version that no list shows may have been seen';
  const late = (each: Stmt | undefined): boolean => (each?.sent ?? 0) > replied;
  const end = chain.findIndex((v) => late(firstWrite(facts, row, v)));
  const reach = chain.slice(0, end < 0 ? undefined : end).filter((v) => firstWrite(facts, row, v) !== stmt);
  const writer = (v: Version): Stmt | undefined => facts.byWrite.get(v.key);
  const passing = [...row.versions.values()].filter(
    (v) => v.fate === 'committed' && !chain.includes(v) && writer(v) !== stmt && !late(writer(v)),
  );
  return [...(row.birth.startsWith('0.') ? [] : [undefined]), ...reach, ...passing].filter(
    (v) => !looks.some((look) => match(look, v) === true),
  );
}

type Change = (view: View, look: Look, places: readonly number[], step: Step, other: Stmt | undefined) => boolean;

/** rwp: behind all that the statement can have seen, the other one changed what the condition matches. */
const changesLater: Change = ({ facts, chain, stmt, match }, look, places, { to }, other) => {
  const at = (n: number): boolean | undefined => match(look, chain[n - 1]);
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

/** wrp: up to what the statement can have seen, the other one made the last change; what lies between is all alike. */
const changedLast: Change = ({ facts, row, chain, stmt, own, match }, look, places, { from }, other) => {
  const at = (n: number): boolean | undefined => match(look, chain[n - 1]);
  const wrote = own.some(({ seq, undone }) => seq !== undefined && !undone) ? chain.findIndex(({ txn }) => txn === stmt.txn) + 1 : 0;
  const [low, high] = [Math.min(...places, wrote || Infinity), Math.max(...places, wrote)];
  if (at(low) === undefined || Array.from({ length: high - low }, (_, i) => at(low + i + 1)).some((each) => each !== at(low))) return false;
  const lowest = row.birth.startsWith('0.') ? 1 : 0;
  let run = low;
  while (run > lowest && at(run - 1) === at(low)) run--;
  const change = run > 0 && (run === 1 && lowest === 1 ? at(run) === true : at(run - 1) === !at(run));
  return change && chain[run - 1]!.txn === from && from !== stmt.txn && facts.byWrite.get(chain[run - 1]!.key) === other;
};
