/**
 * Derives an anomaly of a list history again from the history alone (docs/CHECKERS.md, Case distinctions checked by a
 * second program). No code is shared with check/. Three questions are answered. Do the ways of each case leave no other?
 * Does each edge follow from the lists that these transactions read? Does each named level forbid the end of each case?
 * The files are best read in this order: claim.ts, list-facts.ts, edge.ts, bad-read.ts, levels.ts, this one. The history
 * is taken as the reader of its format gives it.
 */
import type { ListHistory } from '../../../../check/index.ts';
import type { ListRefutationCase } from '../../../../core/index.ts';
import { whyNoBadRead } from './bad-read.ts';
import { readListClaim } from './claim.ts';
import type { ListClaim } from './claim.ts';
import { derivedEdge, orderName } from './edge.ts';
import type { About, DerivedEdge } from './edge.ts';
import { forbidsCycle, forbidsRead } from './levels.ts';
import { ListFacts } from './list-facts.ts';

export interface VerifiedLists {
  readonly holds: boolean;
  /** One line for each end of a case, and one for each part that does not follow. */
  readonly lines: readonly string[];
}

const REFUSED = 'DOES NOT FOLLOW';

/** `anomaly`: the report's anomaly, in any shape. Throws Malformed if it cannot be read. */
export function verifyLists(anomaly: unknown, history: ListHistory): VerifiedLists {
  const claim = readListClaim(anomaly);
  const { levels, refutation } = claim;
  const lines = [...wrongClaim(claim)].map((why) => `${REFUSED}: ${why}`);
  const facts = new ListFacts(history, refutation.transactions);
  walk({ facts, orders: new Set(), levels }, refutation.cases, { number: '', said: [] }, lines);
  return { holds: !lines.some((line) => line.startsWith(REFUSED)), lines };
}

function* wrongClaim({ levels, transactions, refutation }: ListClaim): Generator<string> {
  if (levels.length === 0) yield 'the anomaly violates no level';
  const beside = transactions.find((id) => !refutation.transactions.includes(id));
  if (beside !== undefined) yield `the anomaly names transaction ${beside}, the refutation is not about it`;
}

interface Walk extends About {
  readonly levels: readonly string[];
}

interface Place {
  /** The number of the case, such as 1.2. */
  readonly number: string;
  readonly said: readonly string[];
}

function walk(about: Walk, found: ListRefutationCase, place: Place, lines: string[]): void {
  const where = place.number === '' ? '' : `(${place.number.slice(0, -1)}) `;
  if (found.kind !== 'order') {
    const [said, why] = found.kind === 'read' ? readEnd(about, found) : cycleEnd(about, found);
    const line = `${where}${[...place.said, said].join(': ')}`;
    lines.push(why === undefined ? `follows: ${line}` : `${REFUSED}: ${line}: ${why}`);
    return;
  }
  const why = notExhaustive(about, found);
  if (why !== undefined) {
    lines.push(`${REFUSED}: ${where}the cases: ${why}`);
    return;
  }
  const { facts, orders } = about;
  for (const [i, { first, second, follows }] of found.ways.entries()) {
    const said = `if ${facts.name(first)} appended to ${found.key} before ${facts.name(second)}`;
    walk(
      { ...about, orders: new Set([...orders, orderName(found.key, first, second)]) },
      follows,
      { number: `${place.number}${i + 1}.`, said: [...place.said, said] },
      lines,
    );
  }
}

type Case<K extends ListRefutationCase['kind']> = Extract<ListRefutationCase, { readonly kind: K }>;

/** Returns why there may be another way. If two transactions append to one list, one of them came first. */
function notExhaustive({ facts }: About, { key, ways }: Case<'order'>): string | undefined {
  const [one, other] = ways;
  if (one === undefined || other === undefined || ways.length !== 2)
    return `of two transactions one appended first: expected two ways, got ${ways.length}`;
  const { first, second } = one;
  if (other.first !== second || other.second !== first || first === second) return 'the second way is not the first one turned round';
  for (const id of [first, second]) {
    const why = facts.takesNoPart(id) ?? (facts.appends(id, key).length > 0 ? undefined : `${facts.name(id)} appended nothing to ${key}`);
    if (why !== undefined) return why;
  }
  return undefined;
}

type End = readonly [said: string, why: string | undefined];

function readEnd({ facts, levels }: Walk, found: Case<'read'>): End {
  const said = `operation ${found.read} of ${facts.name(found.reader)} (${found.class})`;
  const allowed = levels.find((level) => !forbidsRead(level, found.class));
  return [said, whyNoBadRead(facts, found) ?? (allowed === undefined ? undefined : `${allowed} does not forbid it`)];
}

function cycleEnd(about: Walk, { edges }: Case<'cycle'>): End {
  const { facts, levels } = about;
  const said = edges.map(({ from, to, rel }, i) => `${i === 0 ? facts.name(from) : ''} -${rel}-> ${facts.name(to)}`).join('');
  if (edges.length === 0) return [said, 'there is no edge'];
  const told: DerivedEdge[] = [];
  for (const [i, edge] of edges.entries()) {
    const derived = derivedEdge(about, edge);
    if (typeof derived === 'string') return [said, `edge ${i + 1}: ${derived}`];
    if (edges[(i + 1) % edges.length]?.from !== edge.to) return [said, `edge ${i + 1}: the next edge begins elsewhere, so it is no cycle`];
    told.push(derived);
  }
  const allowed = levels.find((level) => !forbidsCycle(level, told));
  return [said, allowed === undefined ? undefined : `${allowed} does not forbid this cycle`];
}
