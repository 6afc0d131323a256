/**
 * Reads rows again that a statement may have written or removed, where its capture leaves a doubt: in the same transaction,
 * by a plain read, which always shows the transaction's own changes. A row that ends in the statement's entry was written
 * by it; a captured row that is gone was removed, if those gone are as many as were affected. Another session can have
 * removed one too, or an old snapshot can hide one: then the numbers differ, and the doubt stays.
 *
 * A plain read opens the snapshot of REPEATABLE READ and locks at SERIALIZABLE: it is sent only where it does neither.
 */
import { READS_COLUMN, RID_COLUMN, LIST_COLUMN } from '../../core/index.ts';
import type { Level, OkEvent, Probe, Select } from '../../core/index.ts';

/** `snapshot`: the transaction has read without a lock before. */
export function mayReadAgain(level: Level, snapshot: boolean): boolean {
  return level === 'read-uncommitted' || level === 'read-committed' || (level === 'repeatable-read' && snapshot);
}

export function readAgain(triples: readonly string[]): { readonly statement: Select; readonly probe: Probe } {
  const table = triples[0]!;
  const column = (name: string) => ({ kind: 'column', table, column: name }) as const;
  const text = (value: string) => ({ kind: 'literal', type: 'text', value }) as const;
  const list = triples.filter((_, i) => i % 3 === 1).map(text);
  return {
    statement: {
      kind: 'select',
      items: [{ expression: { kind: 'jsonArray', items: [text(table), column(RID_COLUMN), column(LIST_COLUMN)] }, alias: READS_COLUMN }],
      from: { kind: 'table', table, alias: table },
      where: { kind: 'in', operand: column(RID_COLUMN), list, negated: false },
    },
    probe: { layout: { kind: 'json' }, role: 'read', reads: 'exact', userColumns: 0 },
  };
}

/** What the statement wrote or removed after all, or undefined if the doubt stays. */
export function settled(probe: Probe, affected: number, captured: readonly string[], seen: readonly string[]): Partial<OkEvent> | undefined {
  const entry = probe.captured?.entry;
  const left = new Set(seen.filter((_, i) => i % 3 === 1));
  const versions = entry === undefined ? rowsOf(captured).filter(([, rid]) => !left.has(rid!)) : rowsOf(seen).filter(([, , list]) => list!.endsWith(entry));
  if (versions.length !== affected) return undefined;
  return { [entry === undefined ? 'd' : 'w']: versions.flat() };
}

function rowsOf(triples: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: triples.length / 3 }, (_, i) => triples.slice(3 * i, 3 * i + 3));
}
