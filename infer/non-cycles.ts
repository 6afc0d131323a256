/**
 * The anomalies that need no cycle, each decided on one list against what is known of its entries: aborted reads (G1a),
 * intermediate reads (G1b), contradictions with the transaction's own writes (internal), forks, duplicates, thin air.
 * Adya 1999, 4.2.2 for G1a and G1b.
 */
import { NONE, ROLE, wordingOf } from '../core/index.ts';
import type { History, NonCycleAnomaly, NonCycleClass, Shape } from '../core/index.ts';
import { KeyTable } from './key-table.ts';
import { movedBetween, shownBeside } from './versions/moved.ts';
import type { Readings } from './versions/readings.ts';
import type { VersionOrder } from './versions/order.ts';
import { FATE } from './versions/writers.ts';
import type { Writers } from './versions/writers.ts';

/** How far a chain is followed to prove that a list is older than an own write. */
const WALK = 64;

export function findNonCycles(history: History, readings: Readings, order: VersionOrder, writers: Writers): readonly NonCycleAnomaly[] {
  const { statements, observations } = history;
  const say = wordingOf(history);
  const anomalies: NonCycleAnomaly[] = [];
  const reported = new KeyTable();
  // the paper's probe does not prove that the row was deleted
  const own = ownWrites(order, history.round.instrument !== 'paper');
  const inList = new Int32Array(order.count).fill(NONE);

  const report = (
    kind: NonCycleClass,
    shapes: readonly Shape[],
    transactions: readonly number[],
    seen: readonly number[],
    row: number,
    explanation: string,
  ): void => {
    const before = reported.size;
    // one of a kind for two transactions: a scan that meets twenty rows of one aborted writer is one finding
    const tag = KINDS.indexOf(kind) * 16 + shapes.reduce((sum, shape) => sum + (SHAPES.indexOf(shape) + 1), 0);
    if (reported.add(transactions[0], transactions[1] ?? NONE, tag, 0) !== before) return;
    anomalies.push({ class: kind, shapes, transactions, statements: [...new Set(seen.filter((s) => s !== NONE))], row, explanation });
  };
  const writerOf = (v: number): number => writers.statement(order.txn[v], order.seq[v]);

  for (const { kind, versions, observations: shown } of order.disagreements) {
    const row = order.row[versions[0]];
    const seen = shown.map((o) => observations.statement[o]);
    const readers = seen.map((s) => statements.txn[s]);
    const said = shown.map((o) => `${say.statement(observations.statement[o])} saw ${say.list(o)}`).join(', ');
    const why = kind === 'fork' ? 'no order of its versions gives both, so a committed write was lost' : `the write ${say.version(order.txn[versions[0]], order.seq[versions[0]])} is there twice`;
    const involved = [...new Set([...readers, ...versions.map((v) => order.txn[v])])].filter((t) => t !== 0);
    report(kind, [], involved, [...seen, ...versions.map(writerOf)], row, `On ${say.row(row)} ${said}: ${why}.`);
  }

  for (let i = 0; i < readings.count; i++) {
    const o = readings.observation[i];
    const s = observations.statement[o];
    const reader = statements.txn[s];
    const row = observations.row[o];
    const role = readings.role[i];
    const from = observations.start[o];
    // what the statement found: its own new entry is not part of it
    const found = role === ROLE.write ? readings.end[i] - 1 : readings.end[i];
    for (let e = from; e < found; e++) {
      const v = order.versionOf[e];
      inList[v] = o;
      const writer = order.txn[v];
      if (order.fate[v] === FATE.thinAir) {
        report('thin-air', [], [reader, writer], [s], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, but no transaction made the write ${say.version(writer, order.seq[v])} there.`);
      } else if (order.fate[v] === FATE.aborted) {
        if (writer === reader) {
          report('internal', [], [reader], [s, writerOf(v)], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, but its own write ${say.version(writer, order.seq[v])} had been undone.`);
          continue;
        }
        const builtOn = e + 1 < readings.end[i] && followedByCommitted(e);
        const shapes: Shape[] = role === ROLE.read ? (builtOn ? ['dirty read', 'dirty update'] : ['dirty read']) : ['dirty update'];
        report('G1a', shapes, [reader, writer], [s, writerOf(v)], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, but the write ${say.version(writer, order.seq[v])} was undone${builtOn ? ', and a committed write is built on it' : ''}.`);
      }
    }
    if (found > from) intermediate(found - 1);
    againstOwn();

    function followedByCommitted(e: number): boolean {
      for (let after = e + 1; after < readings.end[i]; after++) if (order.fate[order.versionOf[after]] === FATE.committed) return true;
      return false;
    }

    /** The version read is not the last that its transaction left on this row. */
    function intermediate(e: number): void {
      const v = order.versionOf[e];
      const writer = order.txn[v];
      if (writer === reader || order.fate[v] !== FATE.committed) return;
      const last = own.last(row, writer);
      if (order.seq[last] <= order.seq[v]) return;
      report('G1b', ['intermediate read'], [reader, writer], [s, writerOf(v), writerOf(last)], row, `${say.statement(s)} read version ${say.version(writer, order.seq[v])} of ${say.row(row)}, but ${say.txn(writer)} ${order.dead[last] === 1 ? 'deleted the row by' : 'replaced it by'} ${say.version(writer, order.seq[last])} before it committed.`);
    }

    /** The reader's own writes of this row: the earlier ones must be in the list, the later ones must not. */
    function againstOwn(): void {
      let latest = NONE;
      for (let v = own.first(row, reader); v !== NONE; v = own.next[v]) {
        const w = writerOf(v);
        if (w === NONE || order.fate[v] !== FATE.committed) continue;
        if (w > s && inList[v] === o && order.dead[v] === 0) {
          report('internal', [], [reader], [s, w], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, but makes its own write ${say.version(reader, order.seq[v])} only later.`);
        }
        if (w < s && (latest === NONE || order.seq[v] > order.seq[latest])) latest = v;
      }
      if (latest === NONE || inList[latest] === o) return;
      if (order.dead[latest] === 1) {
        report('internal', movedTo(latest), [reader], [s, writerOf(latest)], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, but ${say.statement(writerOf(latest))} had deleted it.`);
        return;
      }
      if (!certainlyWithout(latest)) return;
      report('internal', movedTo(latest), [reader], [s, writerOf(latest)], row, `${say.statement(s)} saw ${say.list(o)} on ${say.row(row)}, without its own earlier write ${say.version(reader, order.seq[latest])} by ${say.statement(writerOf(latest))}.`);
    }

    /** Another transaction gave the row another key after the version read and before the own write. */
    function movedTo(write: number): readonly Shape[] {
      return found > from && (movedBetween(history, order, order.versionOf[found - 1], write) || shownBeside(history, order, s, write)) ? ['moved row'] : [];
    }

    /** The list lacks this own write because it is older, not because its front was cut off. */
    function certainlyWithout(write: number): boolean {
      if (observations.whole[o] === 1) return true;
      let v = found > from ? order.versionOf[found - 1] : NONE;
      for (let step = 0; v !== NONE && step < WALK; step++, v = order.next[v]) if (v === write) return true;
      return false;
    }
  }
  return anomalies;
}

const KINDS: readonly NonCycleClass[] = ['G1a', 'G1b', 'internal', 'fork', 'duplicate-write', 'thin-air'];
const SHAPES: readonly Shape[] = ['dirty read', 'dirty update', 'intermediate read', 'moved row'];

/** Per (row, transaction) the versions it left there, as a linked list, and the last committed of them. */
function ownWrites(order: VersionOrder, deletesCount: boolean): {
  first(row: number, txn: number): number;
  last(row: number, txn: number): number;
  next: Int32Array;
} {
  const pairs = new KeyTable();
  const heads: number[] = [];
  const lasts: number[] = [];
  const next = new Int32Array(order.count).fill(NONE);
  for (let v = 0; v < order.count; v++) {
    if (order.dead[v] === 1 && !deletesCount) continue;
    const pair = pairs.add(order.row[v], order.txn[v]);
    if (pair === heads.length) {
      heads.push(NONE);
      lasts.push(NONE);
    }
    next[v] = heads[pair];
    heads[pair] = v;
    if (order.fate[v] === FATE.committed && (lasts[pair] === NONE || order.seq[v] > order.seq[lasts[pair]])) lasts[pair] = v;
  }
  const at = (list: readonly number[], row: number, txn: number): number => {
    const pair = pairs.find(row, txn);
    return pair < 0 ? NONE : list[pair];
  };
  return { first: (row, txn) => at(heads, row, txn), last: (row, txn) => at(lasts, row, txn), next };
}
