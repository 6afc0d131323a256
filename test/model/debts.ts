/**
 * What a checker owes for a run: anomalies that are there by the true versions, whatever broke. Only effects that were
 * read count: by a committed transaction, in a statement that was observed in full and not taken back.
 */
import { descendants, isIntermediate, rivalsOf } from './lineage.ts';
import type { Children } from './lineage.ts';
import type { ModelRun } from './run-model.ts';
import type { Row, Version } from './store.ts';

export interface Debt {
  readonly name: 'aborted read' | 'intermediate read' | 'fork' | 'stale read' | 'fractured read';
  readonly classes: readonly string[];
  readonly because: string;
}

const SINGLE = ['G-single-item', 'G-single'];
const SINGLE_TIMED = [...SINGLE, ...SINGLE.map((c) => `${c}-session`), ...SINGLE.map((c) => `${c}-realtime`)];

export function debtsOf(run: ModelRun, external: ReadonlyMap<number, ReadonlySet<Version>>, children: Children): Debt[] {
  const debts: Debt[] = [];
  const seenInFull = (version: Version): boolean =>
    run.statements.some((s) => s.txn === version.txn && s.n === version.statement && s.full);
  const forked = new Set<Row>();
  for (const [parent, rivals] of rivalsOf(children)) {
    forked.add(parent.row);
    if (rivals.filter(seenInFull).length < 2) continue;
    debts.push({
      name: 'fork',
      classes: ['fork'],
      because: `${parent.row.rid}: transactions ${rivals.map((v) => v.txn).join(' and ')} both replaced the version of ${parent.txn}`,
    });
  }
  for (const [txn, versions] of external) {
    const seen = run.statements.filter((s) => s.txn === txn && s.full && !s.undone).flatMap((s) => s.reads);
    for (const version of versions) {
      if (!seen.includes(version)) continue;
      const because = `transaction ${txn} read ${version.row.rid} as ${version.txn} wrote it`;
      if (version.undone) {
        if (!version.untracked) debts.push({ name: 'aborted read', classes: ['G1a'], because });
        continue;
      }
      if (isIntermediate(version, children)) {
        if (!version.untracked) debts.push({ name: 'intermediate read', classes: ['G1b'], because });
        continue;
      }
      if (forked.has(version.row) || version.untracked) continue;
      for (const later of descendants(version, txn, children)) {
        if (later.txn === txn || later.untracked || !seenInFull(later)) continue;
        if (run.transactions.get(later.txn)!.endAt < run.transactions.get(txn)!.beginAt) {
          debts.push({
            name: 'stale read',
            classes: SINGLE_TIMED,
            because: `${because}, after ${later.txn} had replaced it and committed`,
          });
        }
        const other = [...versions].find(
          (v) => v.txn === later.txn && !v.untracked && !v.undone && !isIntermediate(v, children) && seen.includes(v),
        );
        if (other)
          debts.push({
            name: 'fractured read',
            classes: SINGLE,
            because: `${because}, and ${other.row.rid} as ${later.txn} wrote it, which had replaced the first`,
          });
      }
    }
  }
  return debts;
}
