/** All readings of a row and the order that they give its versions: neighbours that no reading disputes. */
import type { Stmt, Step } from './certified.ts';
import { entriesOf } from './facts.ts';
import type { Facts, Outcome } from './facts.ts';

export interface Version {
  key: string;
  txn: number;
  seq: number;
  outcome: Outcome;
  dead: boolean;
  after: Set<string>;
  before: Set<string>;
  next?: Version | undefined;
  prev?: Version | undefined;
}
export interface Reading {
  stmt: Stmt;
  role: string;
  keys: string[];
  whole: boolean;
  at: string | undefined;
}
export interface Row {
  name: string;
  table: string;
  versions: Map<string, Version>;
  readings: Reading[];
  twice: boolean;
  undone: Stmt[];
  birth: string;
}
/** The version that a delete removed, and the version that it left. */
type Grave = readonly [removed: Version, grave: Version];

export function orderVersions(facts: Facts, { row: name, table }: { row: string; table: string }, cycle: readonly Step[]): Row {
  const row: Row = {
    name,
    table,
    versions: new Map(),
    readings: [],
    twice: false,
    undone: [],
    birth: /^r(\d+\.\d+)_\d+$/.exec(name)?.[1] ?? '',
  };
  const graves: Grave[] = [];
  for (const stmt of facts.cert.statements) {
    for (const [role, , rid, list] of stmt.seen) if (rid === name) addReading(facts, row, graves, stmt, role, list);
  }
  addCascade(facts, row, graves, cycle.find((step) => step.row === name && step.cascade)?.cascade);
  // The paper mode's probe does not prove its delete. The version that it leaves only fills a gap.
  const fits = ([v, grave]: Grave): boolean =>
    v.after.size === 0 && grave.before.size === 0 && graves.filter(([left]) => left === v).length === 1;
  for (const each of graves) if (facts.cert.instrument !== 'paper' || fits(each)) link(...each);
  joinNeighbours(row);
  return row;
}

export const isCommitted = (v?: Version): v is Version => v?.outcome === 'committed';

function versionAt(facts: Facts, { versions, table }: Row, key: string): Version {
  const [txn, seq] = key.split('.').map(Number) as [number, number];
  if (!versions.has(key))
    versions.set(key, { key, txn, seq, outcome: facts.outcomeOf(key, table), dead: false, after: new Set(), before: new Set() });
  return versions.get(key)!;
}

function link(v: Version, w: Version): void {
  v.after.add(w.key);
  w.before.add(v.key);
}

function addReading(facts: Facts, row: Row, graves: Grave[], stmt: Stmt, as: string, list: string): void {
  const committed = facts.committed.has(stmt.txn);
  if (as !== 'read' && (stmt.undone || !committed)) row.undone.push(stmt);
  if (!committed || !facts.counts(stmt)) return;
  const [own, all] = [`${stmt.txn}.${stmt.seq}`, entriesOf(list)];
  const mine = all.at(-1) === own;
  const role = stmt.incomplete || (as === 'write' && !mine) ? 'read' : as;
  const keys = mine && stmt.incomplete ? all.slice(0, -1) : all;
  if (keys.length === 0) return;
  row.readings.push({ stmt, role, keys, whole: keys[0] === row.birth, at: keys.at(role === 'write' ? -2 : -1) });
  if (new Set(keys).size < keys.length) row.twice = true;
  let left: Version | undefined;
  for (const v of keys.map((key) => versionAt(facts, row, key))) {
    if (v.outcome === 'aborted') continue;
    if (isCommitted(v) && left) link(left, v);
    left = isCommitted(v) ? v : undefined;
  }
  if (role !== 'delete') return;
  const grave = Object.assign(versionAt(facts, row, own), { dead: true });
  if (left && isCommitted(grave)) graves.push([left, grave]);
}

/** Adds a removal by a cascade of the delete `by`, on the run's word. The word does not count if a final read saw the row. */
function addCascade(facts: Facts, row: Row, graves: Grave[], cascade: Step['cascade']): void {
  if (!cascade?.last) return;
  const [end, cause] = [versionAt(facts, row, cascade.last), facts.byWrite.get(cascade.by)];
  if (!isCommitted(end) || row.readings.some(({ stmt }) => stmt.kind === 'final')) return;
  if (!cause || !facts.committed.has(cause.txn) || !facts.counts(cause) || !cause.seen.some(([role]) => role === 'delete')) return;
  graves.push([end, Object.assign(versionAt(facts, row, cascade.by), { dead: true, outcome: 'committed' as const })]);
}

/** Joins two versions if only the second is seen behind the first, and only the first before the second. They must not form a ring. */
function joinNeighbours({ versions, twice }: Row): void {
  for (const v of versions.values()) {
    const w = v.after.size === 1 && !twice ? versions.get([...v.after][0]!)! : undefined;
    if (w?.before.size === 1 && w !== v) [v.next, w.prev] = [w, v];
  }
  for (const v of versions.values()) {
    let w = v.next;
    for (let steps = 0; w && w !== v && steps < versions.size; steps++) w = w.next;
    for (let ring = w; ring; [ring.next, ring.prev, ring] = [undefined, undefined, ring.next]);
  }
}
