/**
 * Derives every edge of a finding again from the raw observations in its certificate (docs/REPORTS.md), and shares no
 * code with the inference that drew it: another reading of the same rules (Adya 1999, 4; docs/PIPELINE.md), small enough
 * to be read in one sitting, file by file: who committed (facts.ts), in which order a row's versions stand (versions.ts),
 * which edges follow (item-edge.ts, predicate-edge.ts with chain.ts and seen-versions.ts), and what is no cycle (alone.ts). Taken from the run as they are:
 * what the server returned, how transactions ended, which row versions the server said satisfy a WHERE, that a subquery
 * with a predicate edge was read, which row a key has met, that a cascade removed a row.
 */
import { alone } from './alone.ts';
import { CURRENT } from './certified.ts';
import type { Cert, Claim, Numbered, Step } from './certified.ts';
import { Facts } from './facts.ts';
import { itemEdge, orderEdge } from './item-edge.ts';
import { predicateEdge } from './predicate-edge.ts';
import { orderVersions } from './versions.ts';
import type { Row } from './versions.ts';

/** `lines`: one an edge, with what it says if it does not follow. */
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

/** `trusted`: only if the run is believed that a subquery was read, or which row a key has met. */
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
  // An older certificate does not say what a SELECT locks within, and of FOR KEY SHARE nobody knows: the step may then leave its read point open.
  if (!read || (readPoint === undefined && (read.kind === 'select for key share' || (read.kind === 'select' && read.locks === undefined))))
    return undefined;
  return readPoint === (CURRENT.test(read.kind) || read.locks?.includes(table ?? '') ? 'current' : 'snapshot')
    ? undefined
    : 'the read point is another';
}

function wrongEnds({ committed }: Facts, { from, to }: Step): string | undefined {
  return committed.has(from) && committed.has(to) && from !== to ? undefined : 'both transactions must have committed, and differ';
}

/** With what is taken from the run. */
function stepLine(step: Step, trusted: boolean): string {
  const row = step.row === undefined ? '' : ` on row ${step.row} of ${step.table}`;
  const server = ofPredicate(step)
    ? ` (of the server's word: which versions match${trusted ? "; of the run's: that the subquery was read, or this row met" : ''})`
    : '';
  return `T${step.from} -${step.rel}-> T${step.to}${row}${server}${step.cascade ? " (of the run's word: that ON DELETE CASCADE removed the row)" : ''}`;
}

/** Adya's classes with Elle's refinements, from the kinds of the edges alone. */
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
