/**
 * Compares an anomaly with the vendor's promise. The strongest applicable row of the promise table decides
 * (docs/DIALECTS.md). A row that names a shape, a read point or a setting is stronger than one that does not. Between
 * equally strong rows, the one that rules the anomaly out decides. Without a row the documents are silent.
 *
 * An anomaly of a dialect that was never run live is never called a bug: it may be our own misreading.
 */
import type { Anomaly, CycleStep, Judgement, Level, PromiseRow } from '../core/index.ts';

export function judge(
  anomaly: Anomaly,
  level: Level,
  configuration: Readonly<Record<string, string>>,
  promises: readonly PromiseRow[],
  { ranLive }: { readonly ranLive: boolean } = { ranLive: true },
): Judgement {
  let best: PromiseRow | undefined;
  for (const row of promises) {
    if (row.level !== level || !row.classes.includes(anomaly.class)) continue;
    if (row.shapes !== undefined && !row.shapes.some((shape) => anomaly.shapes.includes(shape))) continue;
    if (row.when !== undefined && !APPLIES[row.when](anomaly)) continue;
    if (row.configuration !== undefined && Object.entries(row.configuration).some(([name, value]) => configuration[name] !== value))
      continue;
    if (best === undefined || strength(row) > strength(best)) best = row;
  }
  if (best === undefined) return { verdict: 'undocumented' };
  return { verdict: best.verdict === 'bug' && !ranLive ? 'undocumented' : best.verdict, row: best };
}

const APPLIES: { readonly [K in NonNullable<PromiseRow['when']>]: (anomaly: Anomaly) => boolean } = {
  'snapshot reads only': readsBySnapshotOnly,
  'a current read or write': (anomaly) => !readsBySnapshotOnly(anomaly),
  'one plain SELECT': readsInOneSelect,
  'locking reads only': readsUnderLocksOnly,
  'compare-and-sets only': ({ cycle }) => cycle.some(rests) && cycle.every((step) => !rests(step) || step.compareAndSet === true),
  'a write that found its key freed': ({ freedKey }) => freedKey === true,
  'an autocommit locking SELECT with a subquery': ({ cycle }) => cycle.some(({ inner }) => inner === 'autocommit'),
};

const VERDICT_STRENGTH = { bug: 2, documented: 1, undocumented: 0 } as const;

function strength(row: PromiseRow): number {
  const stated = (row.shapes === undefined ? 0 : 1) + (row.when === undefined ? 0 : 1) + Object.keys(row.configuration ?? {}).length;
  return stated * 4 + VERDICT_STRENGTH[row.verdict];
}

/**
 * Tells whether the readers' snapshots alone explain the cycle. Every read on it is a plain SELECT of a transaction
 * that had neither written nor locked before, and no reader is entered by its own write. The reads that an inferred
 * order rests on count as reads of the cycle.
 */
function readsBySnapshotOnly({ cycle }: Anomaly): boolean {
  let reads = 0;
  for (let i = 0; i < cycle.length; i++) {
    const step = cycle[i];
    const { rel, readPoint, afterWrite } = step;
    if (rel === 'ww') {
      const next = cycle[(i + 1) % cycle.length].rel;
      if (next === 'rw' || next === 'rwp') return false;
    }
    if (!rests(step)) continue;
    if (readPoint !== 'snapshot' || afterWrite === true) return false;
    reads++;
  }
  return reads > 0;
}

/** Tells whether this edge rests on reads. */
function rests({ rel, inferred }: CycleStep): boolean {
  return inferred === true || (rel !== 'ww' && rel !== 'so' && rel !== 'rt');
}

/**
 * Tells whether every read on the cycle belongs to a write or to a locking SELECT without inner queries. Everything
 * read was then locked until the end.
 */
function readsUnderLocksOnly({ cycle }: Anomaly): boolean {
  const reads = cycle.filter(rests);
  return reads.length > 0 && reads.every(({ readPoint, inner }) => readPoint === 'current' && inner === undefined);
}

/**
 * Tells whether each reader of the old side had read the new side in the same plain SELECT. Not even a snapshot per
 * statement allows that.
 */
function readsInOneSelect({ cycle }: Anomaly): boolean {
  let readers = 0;
  for (let i = 0; i < cycle.length; i++) {
    const { rel, readPoint, fromStatement } = cycle[i];
    if (rel !== 'rw' && rel !== 'rwp') continue;
    const before = cycle[(i + cycle.length - 1) % cycle.length];
    if (before.rel !== 'wr' && before.rel !== 'wrp') return false;
    if (readPoint !== 'snapshot' || before.readPoint !== 'snapshot' || fromStatement === undefined || fromStatement !== before.toStatement)
      return false;
    readers++;
  }
  return readers > 0;
}
