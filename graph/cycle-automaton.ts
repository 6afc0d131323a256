/**
 * The automaton over edge kinds that a cycle has to satisfy. It says which kinds may follow one another and which kinds
 * the whole cycle must have. A state says whether the last edge was an anti edge, whether there was a second, and which
 * required kinds were seen. It is a small number, so that a search can address its tables by (node, state).
 */
export type Antis =
  /** The cycle has no anti edge. */
  | 'none'
  /** The cycle has exactly one anti edge. */
  | 'one'
  /** The cycle has at least two anti edges, and no two are cyclically adjacent. */
  | 'nonadjacent'
  /** The cycle has two cyclically adjacent anti edges. */
  | 'adjacent';

export interface CycleSpec {
  /** The kinds that may occur. */
  readonly allowed: number;
  /** The kinds that count as anti edges. */
  readonly anti: number;
  readonly antis: Antis;
  /** The kinds that a search may take as the cycle's first edge: for `none` any required kind, otherwise anti kinds. */
  readonly first: number;
  /** The cycle has at least one edge of each of these masks. */
  readonly some: readonly number[];
}

const LAST = 1; // the last edge was anti
const TWO = 2; // a second anti edge was seen
const FLAGS = 2; // `some` flags begin at this bit

export class CycleAutomaton {
  /** States are numbers below this one. */
  readonly states: number;
  /** No cycle of the spec has fewer transactions. When one of this length is found, the search is over. */
  readonly shortest: number;
  private readonly spec: CycleSpec;
  private readonly complete: number;

  constructor(spec: CycleSpec) {
    this.spec = spec;
    this.states = 1 << (FLAGS + spec.some.length);
    this.complete = ((1 << spec.some.length) - 1) << FLAGS;
    this.shortest = shortestPossible(spec);
  }

  /** Returns the state after a first edge of kind `rel`. */
  begin(rel: number): number {
    return this.seen(this.spec.antis === 'nonadjacent' ? LAST : 0, rel);
  }

  /** Returns the state after an edge of kind `rel`, or -1. */
  after(state: number, rel: number): number {
    const { anti, antis } = this.spec;
    const then = this.seen(state & ~LAST, rel);
    if ((rel & anti) === 0) return then;
    if (antis === 'none' || antis === 'one') return -1;
    if (antis === 'adjacent') return then;
    return (state & LAST) !== 0 ? -1 : then | LAST | TWO;
  }

  /** Tells whether the cycle satisfies the spec when its last edge, of kind `rel`, returns to the start in `state`. */
  accepts(state: number, rel: number): boolean {
    const { anti, antis } = this.spec;
    if ((state & this.complete) !== this.complete) return false;
    if (antis === 'nonadjacent') return (state & TWO) !== 0 && (rel & anti) === 0;
    return antis !== 'adjacent' || (rel & anti) !== 0;
  }

  private seen(state: number, rel: number): number {
    const { some } = this.spec;
    let then = state;
    for (let i = 0; i < some.length; i++) if ((rel & some[i]) !== 0) then |= 1 << (FLAGS + i);
    return then;
  }
}

function shortestPossible(spec: CycleSpec): number {
  const base = { none: 0, one: 1, nonadjacent: 4, adjacent: 2 }[spec.antis];
  const others = spec.some.filter((mask) => (mask & spec.anti) === 0).length;
  return Math.max(2, spec.antis === 'nonadjacent' ? 4 : base + others);
}
