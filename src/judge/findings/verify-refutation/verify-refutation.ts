/**
 * Derives a case distinction of a check report again from the history (docs/CHECKERS.md, Case distinctions checked by a
 * second program). No code is shared with the solver that found it, nor with the linking of reads on which it rests. Two
 * questions are answered. Do the ways of each case leave no other? Is there a cycle at the end of each, every edge of
 * which follows?
 *
 * The files are small enough to be read in one sitting: claim.ts (the claim), history-facts.ts (the facts of the
 * history), levels.ts, edge.ts, this. The history is taken as the reader of its format gives it. The program does not
 * derive that no transaction can be omitted.
 */
import { KV_INITIAL, TXN_STATUS, renumbered } from '../../../../core/index.ts';
import type { KvCase, KvCaseEdge, KvHistory } from '../../../../core/index.ts';
import { readClaim } from './claim.ts';
import type { Claim } from './claim.ts';
import { whyNot } from './edge.ts';
import type { About } from './edge.ts';
import { LevelOf } from './levels.ts';
import { NOTHING_ASSUMED, HistoryFacts } from './history-facts.ts';
import type { Assumed } from './history-facts.ts';

export interface VerifiedRefutation {
  readonly holds: boolean;
  /** One line for each end of a case, and one for each part that does not follow. */
  readonly lines: readonly string[];
}

const REFUSED = 'DOES NOT FOLLOW';
/** No transaction has this number. */
const UNKNOWN_ID = -2;

/** `anomaly`: the report's anomaly, in any shape. Throws Malformed (claim.ts) if it cannot be read. */
export function verifyRefutation(anomaly: unknown, history: KvHistory): VerifiedRefutation {
  const read = readClaim(anomaly);
  // The initial transaction comes before all others, whichever transactions the claim names.
  const claim = inHistory({ ...read, transactions: read.transactions.filter((t) => t !== KV_INITIAL) }, history);
  const { level, transactions, cases } = claim.refutation;
  const facts = new HistoryFacts(history);
  const lines: string[] = [];
  const refuse = (line: string): void => void lines.push(`${REFUSED}: ${line}`);
  const stranger = [...transactions, ...claim.transactions].find((t) => !facts.has(t));
  if (stranger !== undefined) refuse(`the history has no transaction ${stranger}`);
  else {
    for (const why of wrongClaim(claim, new LevelOf(facts, level))) refuse(why);
    const about = { facts, level: new LevelOf(facts, level), assumed: NOTHING_ASSUMED, among: transactions };
    if (about.level.known) walk(about, cases, { number: '', said: [] }, lines);
  }
  return { holds: !lines.some((line) => line.startsWith(REFUSED)), lines };
}

/** Numbers the claim's transactions as the history does. In a round they are named by their ids. */
function inHistory(claim: Claim, { txnId, txnCount }: KvHistory): Claim {
  if (txnId === undefined) return claim;
  const numbers = new Map(Array.from({ length: txnCount }, (_, t) => [txnId(t) ?? t, t] as const));
  const number = (id: number): number => numbers.get(id) ?? UNKNOWN_ID;
  return { ...claim, transactions: claim.transactions.map(number), refutation: renumbered(claim.refutation, number) };
}

function* wrongClaim({ levels, transactions, refutation }: Claim, level: LevelOf): Generator<string> {
  if (!level.known) yield `${refutation.level} is no level that is refuted by cases`;
  if (levels.length === 0) yield 'the anomaly violates no level';
  for (const other of levels)
    if (!level.implies(other, refutation.transactions))
      yield `the refutation is of ${refutation.level}, which does not say that ${other} is violated`;
  const beside = transactions.find((t) => !refutation.transactions.includes(t));
  if (beside !== undefined) yield `the anomaly names transaction ${beside}, the refutation is not about it`;
}

interface Place {
  /** The number of the case, such as 1.2. */
  readonly number: string;
  readonly said: readonly string[];
}

function walk(about: About, found: KvCase, place: Place, lines: string[]): void {
  const where = place.number === '' ? '' : `(${place.number.slice(0, -1)}) `;
  if (found.kind === 'cycle') {
    const why = wrongCycle(about, found.edges);
    const line = `${where}${[...place.said, cycleText(about, found.edges)].join(': ')}`;
    lines.push(why === undefined ? `follows: ${line}` : `${REFUSED}: ${line}: ${why}`);
    return;
  }
  const why = notExhaustive(about, found);
  if (why !== undefined) lines.push(`${REFUSED}: ${where}the cases: ${why}`);
  else
    for (const [i, { said, assumed, follows }] of waysOf(about, found).entries())
      walk({ ...about, assumed }, follows, { number: `${place.number}${i + 1}.`, said: [...place.said, said] }, lines);
}

type Split = Exclude<KvCase, { readonly kind: 'cycle' }>;

/** Returns why there may be another way than those of the case. */
function notExhaustive(about: About, split: Split): string | undefined {
  const { facts, among, assumed } = about;
  if (split.kind === 'order') {
    const [one, other] = split.ways;
    if (one === undefined || other === undefined || split.ways.length !== 2)
      return `of two writers one comes first: expected two ways, got ${split.ways.length}`;
    const { first, second } = one;
    if (other.first !== second || other.second !== first || first === second) return 'the second way is not the first one turned round';
    return (
      takesNoPart(about, first) ??
      takesNoPart(about, second) ??
      (facts.writeSameKey(first, second) ? undefined : `${facts.name(first)} and ${facts.name(second)} write no key in common`)
    );
  }
  if (split.kind === 'outcome') {
    if (!among.includes(split.txn)) return `${split.txn} is none of the refutation's transactions`;
    if (facts.history.status[split.txn] !== TXN_STATUS.unknown) return `the outcome of ${facts.name(split.txn)} is known`;
    const committed = split.ways.map((way) => way.committed);
    return committed.length === 2 && committed.includes(true) && committed.includes(false)
      ? undefined
      : 'expected one way in which it committed and one in which it did not';
  }
  const gone = takesNoPart(about, split.reader);
  if (gone !== undefined) return gone;
  const op = facts.readAt(split.reader, split.read);
  if (typeof op === 'string') return op;
  const possible = facts.possible(op, split.reader, assumed);
  const named = split.ways.map(({ writer }) => writer);
  const missing = possible.find((t) => !named.includes(t));
  if (missing !== undefined) return `${facts.name(split.reader)} may have read this value from ${facts.name(missing)} too`;
  const extra = named.find((t, i) => !possible.includes(t) || named.indexOf(t) !== i);
  return extra === undefined
    ? undefined
    : `${facts.name(extra)} is no further one from whom ${facts.name(split.reader)} may have read this value`;
}

/** A case adds to the assumptions of those above it. */
function waysOf({ facts, assumed }: About, split: Split): readonly { said: string; assumed: Assumed; follows: KvCase }[] {
  if (split.kind === 'order')
    return split.ways.map(({ first, second, follows }) => ({
      said: `if ${facts.name(first)} came before ${facts.name(second)}`,
      assumed: { ...assumed, orders: new Set([...assumed.orders, `${first} ${second}`]) },
      follows,
    }));
  if (split.kind === 'outcome')
    return split.ways.map(({ committed, follows }) => ({
      said: `if ${facts.name(split.txn)} ${committed ? 'committed' : 'did not commit'}`,
      assumed: { ...assumed, outcomes: new Map([...assumed.outcomes, [split.txn, committed]]) },
      follows,
    }));
  const op = facts.history.opStart[split.reader]! + split.read;
  return split.ways.map(({ writer, follows }) => ({
    said: `if ${facts.name(split.reader)} read what ${facts.name(writer)} wrote`,
    assumed: { ...assumed, writers: new Map([...assumed.writers, [op, writer]]) },
    follows,
  }));
}

function wrongCycle(about: About, edges: readonly KvCaseEdge[]): string | undefined {
  const { facts, level } = about;
  if (edges.length === 0) return 'there is no edge';
  for (const [i, edge] of edges.entries()) {
    const next = edges[(i + 1) % edges.length]!;
    const why =
      takesNoPart(about, edge.from) ??
      takesNoPart(about, edge.to) ??
      whyNot(about, edge) ??
      (next.from === edge.to ? undefined : 'the next edge begins elsewhere, so it is no cycle') ??
      // A transaction of snapshot isolation reads at its begin, which may be long before its commit.
      (edge.rel === 'rw' && next.rel === 'rw' && level.reading(edge.to) === 'snapshot-isolation'
        ? `${facts.name(edge.to)} may read what is old and commit late: two such edges in a row close no circle of snapshots`
        : undefined);
    if (why !== undefined) return `edge ${i + 1}: ${why}`;
  }
  return undefined;
}

function takesNoPart({ facts, level, assumed, among }: About, t: number): string | undefined {
  if (!among.includes(t)) return `${t} is none of the refutation's transactions`;
  if (!facts.counts(t, assumed)) return `${facts.name(t)} did not commit, as far as is known`;
  return level.reading(t) === undefined ? `the history names no level of ${facts.name(t)} that has a meaning here` : undefined;
}

function cycleText({ facts }: About, edges: readonly KvCaseEdge[]): string {
  return edges
    .map(({ from, to, rel }, i) => `${i === 0 ? facts.name(from) : ''} -${rel}-> ${facts.name(to)}`)
    .join('')
    .trim();
}
