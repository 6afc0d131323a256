/**
 * Conflict-driven clause learning (Marques-Silva and Sakallah 1996; Moskewicz et al. 2001; Een and Soerensson 2003)
 * over variables that a theory adds during the search. It has two watched literals, first unique implication point,
 * activities, restarts by Luby, and removes learned clauses by the number of levels that they span. Literal 2v is
 * variable v, 2v + 1 its negation. Every clause keeps which others it came from, so that a refutation names what it
 * rests on.
 *
 * Contradictions are mostly local, and there are many that are independent of each other. Variables are therefore
 * decided by place: a conflict then takes back little beyond its neighbourhood. Activity and restarts are used only if
 * that does not end. A learned clause may belong to a level far below, though nothing between depends on it. In that
 * case one level is taken back and the literal keeps its own level (Nadel and Ryvchin, Chronological Backtracking, SAT
 * 2018). The trail is therefore not in order of levels, and literals that outlive a level are asserted in the theory
 * again.
 */

export interface Theory {
  /**
   * Takes a literal that has become true. If that is impossible, returns true literals that cannot all hold, this one
   * among them.
   */
  assert(literal: number): readonly number[] | undefined;
  /** Forgets the last literal that was taken, or refused. */
  retract(literal: number): void;
}

interface Clause {
  readonly literals: number[];
  /** The number in the proof. */
  readonly id: number;
  /** The number of levels it spanned when it was learned, 0 if it was not learned. */
  readonly span: number;
  dropped: boolean;
}

const UNASSIGNED = 2;
/** A restart follows after this many conflicts, times Luby's sequence. */
const RESTART = 64;
/** This many conflicts are handled as local ones, and this many more for each variable. */
const CLOSE = { some: 256, each: 8 } as const;
/** The number of levels that a conflict takes back at once. */
const JUMP = 8;

export class Clauses {
  conflicts = 0;
  decisions = 0;
  readonly trail: number[] = [];
  /** For each clause of the proof, the clauses it follows from, and (as -1 - v) the variables decided at level 0. */
  readonly antecedents: number[][] = [];
  /** The clauses that the theory found, each with its number among the theory's conflicts. */
  readonly theoryClauses: Map<number, number> = new Map();
  private readonly theory: Theory;
  /** The value of each literal: 1 true, 0 false, UNASSIGNED. */
  private readonly value: number[] = [];
  private readonly level: number[] = [];
  private readonly reason: (Clause | undefined)[] = [];
  private readonly activity: number[] = [];
  private readonly phase: number[] = [];
  private readonly place: number[] = [];
  private readonly seen: boolean[] = [];
  private readonly watches: Clause[][] = [];
  /** For each level, how much of the trail is below it, and how many of `wanted` had a value there. */
  private readonly levels: number[] = [];
  private readonly askedAt: number[] = [];
  private learned: Clause[] = [];
  private head = 0;
  private refuted: Clause | undefined;
  /**
   * The variables that need a value, by place or most active first. `asked` is how many of the first of them have one.
   */
  private wanted: readonly number[] = [];
  private asked = 0;
  private bump = 1;
  private untilRestart = RESTART;
  private restarts = 0;
  private mostLearned = 4000;

  constructor(theory: Theory) {
    this.theory = theory;
  }

  /**
   * `phase` is the literal that is tried first: 0 for the variable and 1 for its negation. Related variables have close
   * values of `place`.
   */
  variable(phase: 0 | 1, place: number): number {
    const v = this.level.length;
    this.value.push(UNASSIGNED, UNASSIGNED);
    this.level.push(0);
    this.reason.push(undefined);
    this.activity.push(0);
    this.phase.push(phase);
    this.place.push(place);
    this.seen.push(false);
    this.watches.push([], []);
    return v;
  }

  hasValue(v: number): boolean {
    return this.value[2 * v] !== UNASSIGNED;
  }

  /** Adds a clause of at least two variables that are all new or unassigned. */
  add(literals: readonly number[]): number {
    const clause = this.clause([...literals], []);
    this.watch(clause);
    return clause.id;
  }

  /**
   * Adds a clause of any variables, between searches. Decisions are taken back. A clause that nothing satisfies refutes
   * all.
   */
  addLemma(literals: readonly number[]): number {
    this.backTo(0);
    const rank = (literal: number): number => (this.value[literal] === 0 ? 1 : 0);
    const clause = this.clause(
      literals.toSorted((a, b) => rank(a) - rank(b)),
      [],
    );
    const open = clause.literals.filter((literal) => this.value[literal] !== 0).length;
    if (open === 0) this.refuted = clause;
    else if (open === 1 && this.value[clause.literals[0]] === UNASSIGNED) this.assign(clause.literals[0], clause, 0);
    else if (open > 1) this.watch(clause);
    return clause.id;
  }

  /**
   * Returns 'open' if all wanted variables have values, those of earlier searches too, without a contradiction. A
   * number is the clause of the proof that refutes all.
   */
  search(wanted: readonly number[], budget: () => boolean): 'open' | 'budget' | number {
    this.want(new Set([...this.wanted, ...wanted]));
    for (;;) {
      if (this.refuted !== undefined) return this.clause([], this.sources(this.refuted)).id;
      const conflict = this.propagate();
      if (conflict !== undefined) {
        const level = this.greatestLevel(conflict, -1);
        if (level === 0) return this.clause([], this.sources(conflict)).id;
        this.learn(conflict, level);
        if (!budget()) return 'budget';
        continue;
      }
      if (this.untilRestart <= 0 && !this.isClose()) this.restart();
      const v = this.next();
      if (v < 0) return 'open';
      this.decisions++;
      this.levels.push(this.trail.length);
      this.askedAt.push(this.asked);
      this.assign(2 * v + this.phase[v], undefined, this.levels.length);
    }
  }

  /** Returns why the variable has its value at level 0: a clause of the proof, and others of its variables. */
  whyAtZero(v: number): readonly number[] {
    const reason = this.reason[v];
    return reason === undefined ? [] : [reason.id, ...reason.literals.filter((l) => l >> 1 !== v).map((l) => -1 - (l >> 1))];
  }

  private clause(literals: number[], antecedents: number[], span = 0): Clause {
    this.antecedents.push(antecedents);
    return { literals, id: this.antecedents.length - 1, span, dropped: false };
  }

  private sources(conflict: Clause): number[] {
    return [conflict.id, ...conflict.literals.map((l) => -1 - (l >> 1))];
  }

  private watch(clause: Clause): void {
    this.watches[clause.literals[0] ^ 1].push(clause);
    this.watches[clause.literals[1] ^ 1].push(clause);
  }

  private assign(literal: number, reason: Clause | undefined, level: number): void {
    this.value[literal] = 1;
    this.value[literal ^ 1] = 0;
    this.level[literal >> 1] = level;
    this.reason[literal >> 1] = reason;
    this.trail.push(literal);
  }

  private propagate(): Clause | undefined {
    while (this.head < this.trail.length) {
      const literal = this.trail[this.head++];
      const conflict = this.units(literal);
      if (conflict !== undefined) {
        this.head--; // the theory has not taken it yet
        return conflict;
      }
      const clash = this.theory.assert(literal);
      if (clash === undefined) continue;
      const clause = this.clause(
        clash.map((l) => l ^ 1),
        [],
      );
      this.theoryClauses.set(clause.id, this.theoryClauses.size);
      return clause;
    }
    return undefined;
  }

  /** Visits the clauses that watch the negation of the literal that became true. */
  private units(literal: number): Clause | undefined {
    const { value } = this;
    const watched = this.watches[literal];
    const lost = literal ^ 1;
    let kept = 0;
    for (let i = 0; i < watched.length; i++) {
      const clause = watched[i];
      if (clause.dropped) continue;
      const { literals } = clause;
      if (literals[0] === lost) [literals[0], literals[1]] = [literals[1], lost];
      if (value[literals[0]] !== 1 && this.movedWatch(clause)) continue;
      watched[kept++] = clause;
      if (value[literals[0]] === 1) continue;
      if (value[literals[0]] === 0) {
        for (let rest = i + 1; rest < watched.length; rest++) watched[kept++] = watched[rest];
        watched.length = kept;
        return clause;
      }
      this.assign(literals[0], clause, this.greatestLevel(clause, literals[0]));
    }
    watched.length = kept;
    return undefined;
  }

  private movedWatch(clause: Clause): boolean {
    const { literals } = clause;
    for (let i = 2; i < literals.length; i++) {
      if (this.value[literals[i]] === 0) continue;
      [literals[1], literals[i]] = [literals[i], literals[1]];
      this.watches[literals[1] ^ 1].push(clause);
      return true;
    }
    return false;
  }

  /** Returns the greatest level of the literals of a clause, except one. */
  private greatestLevel({ literals }: Clause, but: number): number {
    let greatest = 0;
    for (const literal of literals) if (literal !== but && this.level[literal >> 1] > greatest) greatest = this.level[literal >> 1];
    return greatest;
  }

  private learn(conflict: Clause, here: number): void {
    this.conflicts++;
    this.untilRestart--;
    const { literals, antecedents, back } = this.analyze(conflict, here);
    this.backTo(here - 1 - back > JUMP ? here - 1 : back);
    const span = new Set(literals.map((l) => this.level[l >> 1])).size;
    const clause = this.clause(literals, antecedents, span);
    if (literals.length > 1) {
      this.watch(clause);
      this.learned.push(clause);
    }
    this.assign(literals[0], clause, back);
    this.bump /= 0.95;
    if (this.bump > 1e100) this.rescale();
    if (this.learned.length > this.mostLearned) this.clean();
  }

  /**
   * Resolves to the first unique implication point of a level. The clause's first literal is of that level, its second
   * of the level that the clause follows from.
   */
  private analyze(conflict: Clause, here: number): { literals: number[]; antecedents: number[]; back: number } {
    const { level, seen, trail, reason } = this;
    const literals = [0];
    const met: number[] = [];
    const antecedents = [conflict.id];
    let clause = conflict;
    let open = 0;
    let at = trail.length - 1;
    let pivot = -1;
    for (;;) {
      for (const literal of clause.literals) {
        const v = literal >> 1;
        if (literal === pivot || seen[v]) continue;
        seen[v] = true;
        met.push(v);
        this.activity[v] += this.bump;
        if (level[v] === 0) antecedents.push(-1 - v);
        else if (level[v] === here) open++;
        else literals.push(literal);
      }
      while (!seen[trail[at] >> 1] || level[trail[at] >> 1] !== here) at--;
      pivot = trail[at--];
      open--;
      if (open === 0) break;
      clause = reason[pivot >> 1] as Clause;
      antecedents.push(clause.id);
    }
    literals[0] = pivot ^ 1;
    for (const v of met) seen[v] = false;
    let second = 1;
    for (let i = 2; i < literals.length; i++) if (level[literals[i] >> 1] > level[literals[second] >> 1]) second = i;
    if (literals.length > 1) [literals[1], literals[second]] = [literals[second], literals[1]];
    return { literals, antecedents, back: literals.length > 1 ? level[literals[1] >> 1] : 0 };
  }

  private backTo(target: number): void {
    const keep = this.levels[target];
    if (keep === undefined) return;
    const outlive: number[] = [];
    while (this.trail.length > keep) {
      const literal = this.trail.pop() as number;
      if (this.trail.length < this.head) this.theory.retract(literal);
      if (this.level[literal >> 1] <= target) {
        outlive.push(literal);
        continue;
      }
      this.value[literal] = this.value[literal ^ 1] = UNASSIGNED;
      this.phase[literal >> 1] = literal & 1;
    }
    while (outlive.length > 0) this.trail.push(outlive.pop() as number);
    this.levels.length = target;
    this.asked = this.askedAt[target];
    this.askedAt.length = target;
    this.head = Math.min(this.head, keep);
  }

  private restart(): void {
    this.backTo(0);
    this.want(this.wanted);
    this.untilRestart = RESTART * luby(++this.restarts);
  }

  private want(variables: Iterable<number>): void {
    const { place, activity } = this;
    const byPlace = this.isClose();
    this.wanted = [...variables].sort((a, b) => (byPlace ? place[a] - place[b] : activity[b] - activity[a]));
    this.asked = 0;
    this.askedAt.fill(0);
  }

  private isClose(): boolean {
    return this.conflicts < CLOSE.some + CLOSE.each * this.level.length;
  }

  /** Returns the next of the wanted variables that has no value, or -1. */
  private next(): number {
    const { wanted, value } = this;
    while (this.asked < wanted.length && value[2 * wanted[this.asked]] !== UNASSIGNED) this.asked++;
    return this.asked < wanted.length ? wanted[this.asked] : -1;
  }

  private rescale(): void {
    for (let v = 0; v < this.activity.length; v++) this.activity[v] /= this.bump;
    this.bump = 1;
  }

  /** Forgets the half of the learned clauses that span most levels, except short ones and reasons. */
  private clean(): void {
    const reasons = new Set(this.trail.map((literal) => this.reason[literal >> 1]));
    const sorted = this.learned.toSorted((a, b) => a.span - b.span);
    sorted.forEach((clause, i) => {
      if (i > sorted.length / 2 && clause.span > 2 && !reasons.has(clause)) clause.dropped = true;
    });
    this.learned = this.learned.filter((clause) => !clause.dropped);
    this.mostLearned += 500;
  }
}

/** Returns an element of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman 1993), from 1. */
function luby(i: number): number {
  let size = 1;
  while (size < i + 1) size = 2 * size + 1;
  let at = i;
  while (size !== at + 1 && size > 1) {
    size = (size - 1) >> 1;
    at %= size;
  }
  return (size + 1) / 2;
}
