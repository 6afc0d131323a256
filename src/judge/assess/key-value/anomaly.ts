/**
 * Translates a key-value checker's anomaly, in the round's transaction ids, to core's. The anomaly may be a bad read, or
 * a violation that is proven although the order of blind writes is unknown. A proof of that kind names no version order,
 * so it gets the weakest class that every order leads to. Its inferred edges are marked.
 */
import { classifyCycle, fingerprintOf, violates } from '../../../../check/index.ts';
import { REL } from '../../../../core/index.ts';
import type {
  Anomaly,
  AnomalyClass,
  CycleStep,
  KvAnomaly,
  KvAnomalyName,
  KvCycleStep,
  KvOperation,
  Level,
  Shape,
} from '../../../../core/index.ts';
import { KEY_VALUE_TABLE } from '../../../../schema-gen/index.ts';
import type { ObservedKeyValues } from './history.ts';
import { spelt } from './named-writes.ts';
import { readPoints } from './read-point.ts';

interface Named {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
}

/** Reads that no order explains. */
const BAD_READS: Partial<Readonly<Record<KvAnomalyName, Named>>> = {
  ThinAirRead: { class: 'thin-air', shapes: [] },
  AbortedRead: { class: 'G1a', shapes: ['dirty read'] },
  IntermediateRead: { class: 'G1b', shapes: ['intermediate read'] },
  FutureRead: { class: 'internal', shapes: [] },
  NotMyOwnWrite: { class: 'internal', shapes: [] },
  NotMyLastWrite: { class: 'internal', shapes: [] },
  // Whichever of the two versions is the later one, the reader stands both before and behind a writer.
  NonRepeatableRead: { class: 'G-single-item', shapes: ['non-repeatable read'] },
};

/** The shape of each name, and the level that every cycle of it violates. A search over inferred orders proves less than the name says. */
const SHAPES: Partial<Readonly<Record<KvAnomalyName, { readonly shape: Shape; readonly level: Level }>>> = {
  FracturedRead: { shape: 'fractured read', level: 'ra' },
  CausalityViolation: { shape: 'causality violation', level: 'cc' },
  LostUpdate: { shape: 'lost update', level: 'snapshot-isolation' },
  WriteSkew: { shape: 'write skew', level: 'serializable' },
  LongFork: { shape: 'long fork', level: 'snapshot-isolation' },
};

/** Anomalies that rest only on what one reader saw of two writers. */
const WITHIN_READER: ReadonlySet<KvAnomalyName> = new Set<KvAnomalyName>(['NonMonotonicRead', 'NonRepeatableRead', 'FracturedRead']);

export function isBadRead({ name, cycle }: KvAnomaly): boolean {
  return cycle.length === 0 && BAD_READS[name] !== undefined;
}

export function anomalyOf(found: KvAnomaly, observed: ObservedKeyValues): Anomaly {
  const places = placesOf(observed);
  const { statements } = observed.history;
  const [first] = found.operations;
  const failed = found.name === 'ThinAirRead' && first ? observed.failed.get(spelt(Number(first.key), first.value ?? '')) : undefined;
  const bad = BAD_READS[failed === undefined ? found.name : 'AbortedRead'];
  const readPoint = readPoints(observed.history);
  const cycle = found.cycle.map((step): CycleStep => {
    const of = (txn: number): number | undefined => places(step.operations.find((operation) => operation.txn === txn));
    const [from, to] = [of(step.from), of(step.to)];
    const reader = step.rel === 'wr' ? to : step.rel === 'rw' ? from : undefined;
    return {
      from: step.from,
      to: step.to,
      rel: step.rel,
      ...(step.key !== undefined && { row: step.key, table: KEY_VALUE_TABLE }),
      ...(from !== undefined && { fromStatement: from }),
      ...(to !== undefined && { toStatement: to }),
      ...(step.inferred === true
        ? { inferred: true, ...inferredFrom(step, places, readPoint) }
        : reader !== undefined && readPoint(reader)),
      explanation:
        step.inferred === true ? `${step.explanation}: no read shows this order, it is what the others leave.` : `${step.explanation}.`,
    };
  });
  const guessed = found.cycle.some(({ inferred }) => inferred === true);
  const shaped = SHAPES[found.name];
  const named: Named = bad ?? {
    class: weakestClass(found),
    shapes: shaped === undefined || (guessed && !found.levels.includes(shaped.level)) ? [] : [shaped.shape],
  };
  const touched = [
    ...new Set([...found.operations.flatMap((operation) => places(operation) ?? []), ...(failed === undefined ? [] : [failed])]),
  ].sort((a, b) => a - b);
  const key = found.operations[0]?.key;
  return {
    ...named,
    // An inferred cycle proves only its class, because its edges may run otherwise.
    levels: violates({ ...named, cycle: guessed ? [] : cycle }),
    cycle,
    transactions: [
      ...new Set([
        ...found.transactions,
        ...found.operations.map(({ txn }) => txn).filter((txn) => txn !== 0),
        ...(failed === undefined ? [] : [observed.history.transactions.id[statements.txn[failed]!]!]),
      ]),
    ],
    statements: touched,
    explanation: failed === undefined ? found.explanation : `${found.explanation} A statement that failed would have written it.`,
    ...(cycle.length === 0 && key !== undefined && { row: { table: KEY_VALUE_TABLE, row: key } }),
    fingerprint: fingerprintOf(named.class, named.shapes, cycle, statements.kind, touched),
  };
}

/**
 * Returns the read point of an inferred step. If the step names two reads of one reader, its order follows from what that
 * reader saw of both writers. If the order follows from further edges, the step does not name them.
 */
function inferredFrom(
  { rel, operations }: KvCycleStep,
  places: (operation: KvOperation) => number | undefined,
  readPoint: ReturnType<typeof readPoints>,
): Pick<CycleStep, 'readPoint'> {
  const reads = operations.filter(({ kind }) => kind === 'read');
  if (rel !== 'ww' || reads.length < 2 || new Set(reads.map(({ txn }) => txn)).size > 1) return {};
  const snapshot = reads.every((read) => {
    const place = places(read);
    return place !== undefined && readPoint(place).readPoint === 'snapshot' && readPoint(place).afterWrite !== true;
  });
  return snapshot ? { readPoint: 'snapshot' } : {};
}

/** Returns `G1c` and the like if no edge is inferred, otherwise the class that holds for either direction of the inferred edges. */
function weakestClass({ name, cycle, levels }: KvAnomaly): AnomalyClass {
  // The initial state comes before all transactions, whatever the sessions.
  const session = cycle.some(({ rel, from }) => rel === 'so' && from !== 0) ? '-session' : '';
  const shown = cycle.length > 0 && cycle.every(({ inferred }) => inferred !== true);
  const known = shown ? classifyCycle(cycle.map(({ rel }) => REL[rel])) : undefined;
  if (known !== undefined) return known;
  const weakest = levels[0];
  if (weakest === 'strict-serializable') return 'G2-item-realtime';
  if (weakest === 'serializable') return `G2-item${session}`;
  if (weakest === 'snapshot-isolation') return `G-nonadjacent-item${session}`;
  // The other names may rest on session order even if no step says so.
  return WITHIN_READER.has(name) ? `G-single-item${session}` : 'G-single-item-session';
}

function placesOf({ history, accesses }: ObservedKeyValues): (operation: KvOperation | undefined) => number | undefined {
  const { statements, transactions } = history;
  const spell = (id: number, kind: string, key: number | string, value: string | null | undefined): string =>
    `${id} ${kind} ${key} ${value}`;
  const places = new Map<string, number>();
  for (const { statement, key, write, value } of accesses) {
    const name = spell(transactions.id[statements.txn[statement]!]!, write ? 'write' : 'read', key, value);
    if (!places.has(name)) places.set(name, statement);
  }
  return (operation) => operation && places.get(spell(operation.txn, operation.kind, operation.key, operation.value));
}
