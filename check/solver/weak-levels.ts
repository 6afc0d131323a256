/**
 * Transactions of rc, ra and cc in the solver (Biswas and Enea 2019, Fig. 2, each axiom for the reads of the
 * transactions of its own level, as Bouajjani, Enea and Roman-Calvo 2025 mix them). r reads w's version of a key that
 * w' writes too:
 *
 *   rc   r's transaction read from w' before r           w' before w
 *   ra   w' is before it in its session, or it read from w' anywhere
 *   cc   a path of session order and reads leads from w' to it
 *
 * A demand of this kind is an edge that is known from the start, unless it rests on a choice. In that case it is tested
 * in an order that breaks nothing else, and an unmet demand becomes a clause. O(reads x writes of what was read) for rc
 * and ra. cc takes a clock per transaction, transactions x sessions x 4 bytes, and O(reads x sessions that write the
 * key).
 */
import type { Demand, Problem } from './problem.ts';

type Chosen = ArrayLike<number>;

export const NONE_CHOSEN: Chosen = [];

/** `chosen` holds the version of each choice, below 0 or absent if it is open. An open choice demands nothing. */
export function* demandsOf(problem: Problem, chosen: Chosen): Generator<Demand> {
  const { size, weak, weakStart } = problem;
  if (weakStart[size] === 0) return;
  const clocks = causalClocks(problem, chosen);
  for (let t = 0; t < size; t++) {
    const level = weak(t);
    if (level === 'cc') {
      if (clocks !== undefined) yield* causal(problem, t, chosen, clocks);
    } else if (level !== undefined) yield* direct(problem, t, chosen, level === 'ra');
  }
}

/** Returns the choices without which no demand is known in full. */
export function choicesToMake({ size, weak, choices, readVersion }: Problem): readonly number[] {
  let causalReaders = false;
  for (let t = 0; t < size && !causalReaders; t++) causalReaders = weak(t) === 'cc';
  return [...choices.keys()].filter((c) => causalReaders || choices[c].slot >= readVersion.length);
}

/** Returns the transactions that a demand follows from, and the choices among them. */
export function groundsOf(
  problem: Problem,
  { first, second, slot, choices }: Demand,
  chosen: Chosen,
): { readonly transactions: readonly number[]; readonly choices: readonly number[] } {
  const reader = problem.slotTxn[slot];
  const ends = second < 0 ? [first, reader] : [first, second, reader];
  if (problem.weak(reader) !== 'cc') return { transactions: ends, choices };
  const path = causalPath(problem, first, reader, chosen);
  return { transactions: [...new Set([...ends, ...path.transactions])], choices: [...new Set([...choices, ...path.choices])] };
}

interface Read {
  readonly slot: number;
  readonly version: number;
  readonly choice: number;
}

/** Yields the reads of a transaction whose version is known or chosen, in program order. */
function* readsOf({ readVersion, readStart, weakVersion, weakStart }: Problem, t: number, chosen: Chosen): Generator<Read> {
  const strong = readVersion.length;
  const readOf = (slot: number, v: number): Read => ({ slot, version: v < 0 ? (chosen[-1 - v] ?? -1) : v, choice: v < 0 ? -1 - v : -1 });
  for (let i = readStart[t]; i < readStart[t + 1]; i++) yield readOf(i, readVersion[i]);
  for (let i = weakStart[t]; i < weakStart[t + 1]; i++) yield readOf(strong + i, weakVersion[i]);
}

/** rc uses the reads before, ra all reads and the session. */
function* direct(problem: Problem, t: number, chosen: Chosen, atomic: boolean): Generator<Demand> {
  const { versions, writeStart, writeKey, versionTxn } = problem;
  const reads = [...readsOf(problem, t, chosen)].filter(({ version }) => version >= 0);
  /** For each key, the writers that were read from, and by which choice. */
  const seen = new Map<number, { readonly txn: number; readonly choice: number }[]>();
  const known = new Set<string>();
  const see = ({ version, choice }: Read): void => {
    const txn = version < versions ? versionTxn[version] : -1;
    if (txn < 0 || known.has(`${txn} ${choice}`)) return;
    known.add(`${txn} ${choice}`);
    for (let v = writeStart[txn]; v < writeStart[txn + 1]; v++) {
      const list = seen.get(writeKey[v]);
      if (list === undefined) seen.set(writeKey[v], [{ txn, choice }]);
      else list.push({ txn, choice });
    }
  };
  if (atomic) reads.forEach(see);
  for (const read of reads) {
    const { key, writer } = target(problem, read.version);
    const own = read.choice < 0 ? [] : [read.choice];
    for (const { txn, choice } of seen.get(key) ?? [])
      if (!isImplied(problem, txn, writer))
        yield { first: txn, second: writer, slot: read.slot, choices: choice < 0 || choice === read.choice ? own : [...own, choice] };
    if (!atomic) see(read);
    else {
      const before = lastWriter(problem, key, problem.session[t], t);
      if (before >= 0 && !isImplied(problem, before, writer)) yield { first: before, second: writer, slot: read.slot, choices: own };
    }
  }
}

function* causal(problem: Problem, t: number, chosen: Chosen, clocks: Int32Array): Generator<Demand> {
  const { keyGroup, groupSession, sessions } = problem;
  for (const { slot, version, choice } of readsOf(problem, t, chosen)) {
    if (version < 0) continue;
    const { key, writer } = target(problem, version);
    for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
      const before = lastOfGroup(problem, g, clocks[t * sessions + groupSession[g]]);
      if (before >= 0 && !isImplied(problem, before, writer))
        yield { first: before, second: writer, slot, choices: choice < 0 ? [] : [choice] };
    }
  }
}

function target({ versions, writeKey, versionTxn }: Problem, version: number): { readonly key: number; readonly writer: number } {
  return version < versions ? { key: writeKey[version], writer: versionTxn[version] } : { key: version - versions, writer: -1 };
}

/** Tells whether nothing is left to demand: it is the same transaction, or its session implies it. */
function isImplied({ session }: Problem, first: number, second: number): boolean {
  return first === second || (second >= 0 && session[first] === session[second] && first < second);
}

/** Returns the last transaction of the session below a number that writes the key, or -1. */
function lastWriter(problem: Problem, key: number, session: number, below: number): number {
  const { keyGroup, groupSession } = problem;
  for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) if (groupSession[g] === session) return lastOfGroup(problem, g, below);
  return -1;
}

function lastOfGroup({ groupStart, keyVersion, versionTxn }: Problem, g: number, below: number): number {
  let [low, high] = [groupStart[g], groupStart[g + 1]];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (versionTxn[keyVersion[middle]] < below) low = middle + 1;
    else high = middle;
  }
  return low === groupStart[g] ? -1 : versionTxn[keyVersion[low - 1]];
}

interface Step {
  readonly from: number;
  readonly choice: number;
}

/** Yields session order and reads, backwards. */
function* stepsInto(problem: Problem, t: number, chosen: Chosen): Generator<Step> {
  if (t > 0 && problem.session[t - 1] === problem.session[t]) yield { from: t - 1, choice: -1 };
  for (const { version, choice } of readsOf(problem, t, chosen))
    if (version >= 0 && version < problem.versions) yield { from: problem.versionTxn[version], choice };
}

/**
 * For each transaction and session, the number below which the session's transactions are in the past. Undefined means
 * that no read needs it, or that there is a cycle, which its edges show.
 */
function causalClocks(problem: Problem, chosen: Chosen): Int32Array | undefined {
  const { size, sessions, session, weak } = problem;
  let asked = false;
  for (let t = 0; t < size && !asked; t++) asked = weak(t) === 'cc';
  if (!asked) return undefined;
  const rows = new Int32Array(size * sessions);
  const state = new Uint8Array(size); // 1: its past is being computed, 2: it is known
  for (let root = 0; root < size; root++) {
    const open = [root];
    while (open.length > 0) {
      const t = open[open.length - 1];
      if (state[t] === 2) {
        open.pop();
        continue;
      }
      let ready = true;
      for (const { from } of stepsInto(problem, t, chosen)) {
        if (state[from] === 2) continue;
        if (state[from] === 1) return undefined;
        ready = false;
        open.push(from);
        break;
      }
      state[t] = 1;
      if (!ready) continue;
      for (const { from } of stepsInto(problem, t, chosen)) {
        for (let s = 0; s < sessions; s++) rows[t * sessions + s] = Math.max(rows[t * sessions + s], rows[from * sessions + s]);
        rows[t * sessions + session[from]] = Math.max(rows[t * sessions + session[from]], from + 1);
      }
      state[t] = 2;
      open.pop();
    }
  }
  return rows;
}

/** Finds a path with the fewest choices. */
function causalPath(
  problem: Problem,
  start: number,
  goal: number,
  chosen: Chosen,
): { readonly transactions: readonly number[]; readonly choices: readonly number[] } {
  const next = new Map<number, { readonly to: number; readonly choice: number }>();
  const done = new Set<number>();
  let [now, later]: [number[], number[]] = [[goal], []];
  while (now.length > 0 && !done.has(start)) {
    for (let t = now.pop(); t !== undefined; t = now.pop()) {
      if (done.has(t)) continue;
      done.add(t);
      for (const { from, choice } of stepsInto(problem, t, chosen)) {
        if (done.has(from)) continue;
        if (choice < 0 || !next.has(from)) next.set(from, { to: t, choice });
        (choice < 0 ? now : later).push(from);
      }
    }
    [now, later] = [later, []];
  }
  const transactions: number[] = [];
  const choices: number[] = [];
  for (let t = start; t !== goal;) {
    const step = next.get(t);
    if (step === undefined) break;
    transactions.push(t);
    if (step.choice >= 0) choices.push(step.choice);
    t = step.to;
  }
  return { transactions, choices };
}
