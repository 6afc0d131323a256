/**
 * Reads rows again that a statement may have written or removed, where its capture leaves a doubt. The read is a plain
 * one in the same transaction, which always shows the transaction's own changes. A row that ends in the statement's entry
 * was written by it. Captured rows that are gone were removed by it, if their number is the number of affected rows.
 * Another session may have removed one too, or an old snapshot may hide one. Then the numbers differ and the doubt stays.
 *
 * A plain read opens the snapshot of REPEATABLE READ and locks rows at SERIALIZABLE. So it is sent only where it does
 * neither.
 */
import { RID_COLUMN, readsItem, ridsOf, versionItems, versionsOf } from '../../core/index.ts';
import type { Level, OkEvent, Probe, Select } from '../../core/index.ts';

/** `snapshot`: the transaction has read without a lock before. */
export function mayReadAgain(level: Level, snapshot: boolean): boolean {
  return level === 'read-uncommitted' || level === 'read-committed' || (level === 'repeatable-read' && snapshot);
}

export function readAgain(triples: readonly string[]): { readonly statement: Select; readonly probe: Probe } {
  const table = triples[0]!;
  const text = (value: string) => ({ kind: 'literal', type: 'text', value }) as const;
  const list = ridsOf(triples).map(text);
  return {
    statement: {
      kind: 'select',
      items: [readsItem({ kind: 'jsonArray', items: versionItems(table, table) })],
      from: { kind: 'table', table, alias: table },
      where: { kind: 'in', operand: { kind: 'column', table, column: RID_COLUMN }, list, negated: false },
    },
    probe: { layout: { kind: 'json' }, role: 'read', reads: 'exact', userColumns: 0 },
  };
}

/** Returns the versions that the statement wrote or removed, or undefined if the doubt stays. */
export function settled(
  probe: Probe,
  affected: number,
  captured: readonly string[],
  seen: readonly string[],
): Partial<OkEvent> | undefined {
  const entry = probe.captured?.entry;
  const left = new Set(ridsOf(seen));
  const versions =
    entry === undefined
      ? versionsOf(captured).filter(([, rid]) => !left.has(rid))
      : versionsOf(seen).filter(([, , list]) => list.endsWith(entry));
  if (versions.length !== affected) return undefined;
  return { [entry === undefined ? 'd' : 'w']: versions.flat() };
}
