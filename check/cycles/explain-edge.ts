/** Writes one sentence per edge: the row, the versions and the two statements that it rests on. */
import { NONE, REL, wordingOf } from '../../core/index.ts';
import type { DependencyGraph, EdgeEvidence, Wording } from '../../core/index.ts';

/** `edge` is a place in the graph's CSR. */
export function explainEdge(graph: DependencyGraph, edge: number): string {
  const i = graph.evidence[edge];
  const say = wordingOf(graph.history);
  const rel = graph.rels[edge];
  const sentence = isKeyProbe(graph, rel, i) ? KEY_SENTENCES[rel] : SENTENCES[rel];
  if (sentence === undefined) return explainOrder(graph, edge, say);
  return sentence(graph.edges, i, say) + explainCascade(graph, i, say);
}

/** Names the statement that caused a foreign key's action, because no list names it. */
function explainCascade({ edges, cascades = [] }: DependencyGraph, i: number, say: Wording): string {
  const cascade = cascades.find(
    ({ row, statement }) => row === edges.row[i] && (statement === edges.toStatement[i] || statement === edges.fromStatement[i]),
  );
  return cascade === undefined
    ? ''
    : ` That statement deleted ${say.row(cascade.parent)}, to which the row referred, and ON DELETE CASCADE removed it too: no final read sees it, and no other statement can have removed it.`;
}

function explainOrder(graph: DependencyGraph, edge: number, say: Wording): string {
  const to = graph.targets[edge];
  let from = 0;
  while (graph.starts[from + 1] <= edge) from++;
  const name = (v: number): string => (v < graph.txnCount ? say.txn(v) : 'a point of the real-time chain');
  return graph.rels[edge] === REL.so
    ? `${name(from)} committed before ${name(to)} in the same session.`
    : `The commit of ${name(from)} was acknowledged before ${name(to)} began.`;
}

type Sentence = (edges: EdgeEvidence, i: number, say: Wording) => string;

const read: Sentence = (edges, i, say) =>
  `${say.statement(edges.toStatement[i])} read version ${from(edges, i, say)} of ${say.row(edges.row[i])}, written by ${writer(edges, i, say)}.`;

const overwrote: Sentence = (edges, i, say) =>
  `${say.statement(edges.fromStatement[i])} read version ${from(edges, i, say)} of ${say.row(edges.row[i])}, whose direct successor ${to(edges, i, say)} was installed by ${say.statement(edges.toStatement[i])}.`;

const readPredicate: Sentence = (edges, i, say) =>
  `${say.statement(edges.toStatement[i])} evaluated its WHERE on every row of its table; on ${say.row(edges.row[i])} the last change of what it matches, up to the version it saw, was ${from(edges, i, say)} by ${writer(edges, i, say)}.`;

const changedMatch: Sentence = (edges, i, say) =>
  `${say.statement(edges.fromStatement[i])} evaluated its WHERE on every row of its table and saw ${seenAs(edges, i, say)}; version ${to(edges, i, say)}, installed by ${say.statement(edges.toStatement[i])}, changes whether its WHERE matches.`;

const SENTENCES: Readonly<Record<number, Sentence>> = {
  [REL.wr]: read,
  [REL.wrp]: readPredicate,
  [REL.rw]: overwrote,
  [REL.rwp]: changedMatch,
  [REL.ww]: (edges, i, say) =>
    `On ${say.row(edges.row[i])} version ${from(edges, i, say)}, installed by ${writer(edges, i, say)}, was replaced directly by ${to(edges, i, say)} of ${say.statement(edges.toStatement[i])}.`,
};

/** The sentences for a key probe that met a row (Predicates.met), and for a row that held the key before or after. */
const KEY_SENTENCES: Readonly<Record<number, Sentence>> = {
  [REL.wrp]: (edges, i, say) =>
    `${say.statement(edges.toStatement[i])} searched for a row by its key and met one; the last change of whether ${say.row(edges.row[i])} holds that key, up to the version it saw, was ${from(edges, i, say)} by ${writer(edges, i, say)}.`,
  [REL.rwp]: (edges, i, say) =>
    `${say.statement(edges.fromStatement[i])} searched for a row by its key and met one; it saw ${seenAs(edges, i, say)}; version ${to(edges, i, say)}, installed by ${say.statement(edges.toStatement[i])}, changes whether that row holds the key.`,
};

/** Tells whether an edge of a predicate read comes from a statement that searched the table by a key alone. */
function isKeyProbe({ edges, history: { predicates, rows } }: DependencyGraph, rel: number, i: number): boolean {
  if (rel !== REL.wrp && rel !== REL.rwp) return false;
  const statement = rel === REL.wrp ? edges.toStatement[i] : edges.fromStatement[i];
  const table = rows.table[edges.row[i]];
  let isMet = false;
  for (let p = 0; p < predicates.count; p++) {
    if (predicates.statement[p] !== statement || predicates.table[p] !== table) continue;
    if (predicates.met[p] !== 1) return false;
    isMet = true;
  }
  return isMet;
}

function seenAs(edges: EdgeEvidence, i: number, say: Wording): string {
  return `${say.row(edges.row[i])} ${edges.fromTxn[i] === NONE ? 'not yet there' : `no later than version ${from(edges, i, say)}`}`;
}

function from(edges: EdgeEvidence, i: number, say: Wording): string {
  return say.version(edges.fromTxn[i], edges.fromSeq[i]);
}

function to(edges: EdgeEvidence, i: number, say: Wording): string {
  return say.version(edges.toTxn[i], edges.toSeq[i]);
}

function writer(edges: EdgeEvidence, i: number, say: Wording): string {
  return edges.fromTxn[i] === 0 ? 'the initial state' : say.statement(edges.fromStatement[i]);
}
