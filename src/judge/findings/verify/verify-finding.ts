/**
 * Derives every edge of a finding again from the raw observations in its certificate (docs/REPORTS.md). No code is shared
 * with the inference that drew it. The code implements the same rules again (Adya 1999, 4; docs/PIPELINE.md), and is
 * small enough to be read in one sitting. facts.ts finds who committed, versions.ts the order of a row's versions.
 * item-edge.ts and predicate-edge.ts (with chain.ts and seen-versions.ts) check edges, alone.ts what is no cycle.
 *
 * Some facts are taken from the run: what the server returned, how transactions ended, which row versions the server said
 * satisfy a WHERE. The run's word also counts for evaluated subqueries with a predicate edge, for rows that a key has
 * met, and for removals by a cascade.
 */
import { alone } from './alone.ts';
import { CURRENT } from './certified.ts';
import type { Cert, Claim, Numbered, Step } from './certified.ts';
import { Facts } from './facts.ts';
import { itemEdge, orderEdge } from './item-edge.ts';
import { predicateEdge } from './predicate-edge.ts';
import { orderVersions } from './versions.ts';
import type { Row } from './versions.ts';

/** `lines`: one for each edge, with the reason if it does not follow. */
export interface Verified {
  readonly holds: boolean;
  readonly lines: readonly string[];
}
const REFUSED = 'DOES NOT FOLLOW';

export function verifyFinding(claim: Claim, statements: Numbered, cert: Cert): Verified {
  const facts = new Facts(cert, statements);
  const rows = new Map(cert.rows.map((each) => [each.row, orderVersions(facts, each, claim.cycle)]));
  const lines: string[] = [];
  const demand = (line: string, otherwise: string | undefined): void =>
    void lines.push(otherwise === undefined ? `follows: ${line}` : `${REFUSED}: ${line}: ${otherwise}`);
  if (facts.contradictsItself) demand('the record', 'a statement is there twice, or one that is no write wrote');
  if (claim.cycle.length === 0) demand(`${claim.class} on ${claim.row?.row ?? 'no row'}`, alone(facts, rows, claim));
  for (const [i, step] of claim.cycle.entries()) {
    const { why, trusted } = edge(facts, rows, step);
    const closed =
      claim.cycle[(i + 1) % claim.cycle.length]!.from === step.to ? undefined : 'the next edge begins elsewhere, so it is no cycle';
    demand(stepLine(step, trusted), why ?? wrongReadPoint(facts, step) ?? wrongEnds(facts, step) ?? closed);
  }
  if (claim.cycle.length > 0) {
    const own = classOf(claim.cycle.map(({ rel }) => rel));
    demand(`the class is ${claim.class}`, own === claim.class ? undefined : `these edges make ${own}`);
  }
  return { holds: !lines.some((line) => line.startsWith(REFUSED)), lines };
}

/** `trusted`: the edge follows only if the run is believed that a subquery was evaluated, or which row a key has met. */
function edge(facts: Facts, rows: ReadonlyMap<string, Row>, step: Step): { why: string | undefined; trusted: boolean } {
  if (!/^(ww|wrp?|rwp?)$/.test(step.rel)) return { why: orderEdge(facts, step), trusted: false };
  if (!ofPredicate(step)) return { why: itemEdge(facts, rows, step), trusted: false };
  const why = predicateEdge(facts, rows, step, false);
  const trusted = why !== undefined && predicateEdge(facts, rows, step, true) === undefined;
  return { why: trusted ? undefined : why, trusted };
}

function ofPredicate({ rel }: Step): boolean {
  return rel === 'rwp' || rel === 'wrp';
}

function wrongReadPoint(facts: Facts, { rel, fromStatement, toStatement, readPoint, table }: Step): string | undefined {
  const read = facts.statementAt(rel.startsWith('rw') ? fromStatement : rel.startsWith('wr') ? toStatement : undefined);
  // An older certificate does not say what a SELECT locks within, and the read point of FOR KEY SHARE is unknown. The
  // step may then omit its read point.
  if (!read || (readPoint === undefined && (read.kind === 'select for key share' || (read.kind === 'select' && read.locks === undefined))))
    return undefined;
  return readPoint === (CURRENT.test(read.kind) || read.locks?.includes(table ?? '') ? 'current' : 'snapshot')
    ? undefined
    : 'the read point is another';
}

function wrongEnds({ committed }: Facts, { from, to }: Step): string | undefined {
  return committed.has(from) && committed.has(to) && from !== to ? undefined : 'both transactions must have committed, and differ';
}

/** Prints a step with the facts that are taken from the run. */
function stepLine(step: Step, trusted: boolean): string {
  const row = step.row === undefined ? '' : ` on row ${step.row} of ${step.table}`;
  const server = ofPredicate(step)
    ? ` (of the server's word: which versions match${trusted ? "; of the run's: that the subquery was read, or this row met" : ''})`
    : '';
  return `T${step.from} -${step.rel}-> T${step.to}${row}${server}${step.cascade ? " (of the run's word: that ON DELETE CASCADE removed the row)" : ''}`;
}

/** Returns Adya's class with Elle's refinements, from the kinds of the edges alone. */
function classOf(rels: readonly string[]): string {
  const anti = rels.map((rel) => rel === 'rw' || rel === 'rwp');
  const antis = anti.filter(Boolean).length;
  const item = rels.includes('rwp') ? '' : '-item';
  const adjacent = antis > 1 && anti.some((each, i) => each && anti[(i + 1) % anti.length]);
  const base =
    antis === 0
      ? rels.some((rel) => rel.startsWith('wr'))
        ? 'G1c'
        : 'G0'
      : antis === 1
        ? `G-single${item}`
        : adjacent
          ? `G2${item}`
          : `G-nonadjacent${item}`;
  return `${base}${rels.includes('rt') ? '-realtime' : rels.includes('so') ? '-session' : ''}`;
}
