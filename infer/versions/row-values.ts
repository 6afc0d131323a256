/**
 * Returns the values of the user columns of row versions. They come from the initial rows, from the writes that
 * returned the rows they made, and from the final read. A version without an image has unknown values.
 */
import { NONE, ROLE, loosely } from '../../core/index.ts';
import type { History, Image } from '../../core/index.ts';
import type { VersionOrder } from './order.ts';

/** The image of each version that has one. */
export function imagesOf(history: History, order: VersionOrder): ReadonlyMap<number, Image> {
  const { rows, observations, statements } = history;
  const images = new Map<number, Image>();
  const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
  for (const event of history.images) {
    for (const [i, rid] of event.rids.entries()) {
      const v = order.find(numberOf.get(rid) ?? NONE, 0, 0);
      if (v >= 0) images.set(v, event.images[i] ?? []);
    }
  }
  let last = NONE;
  let place = 0;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o];
    place = s === last ? place + 1 : 0;
    last = s;
    const v = observations.length[o] === 0 ? NONE : order.versionOf[observations.start[o] + observations.length[o] - 1];
    if (v === NONE) continue;
    const image =
      observations.role[o] === ROLE.write
        ? observations.image[o]
        : statements.kind[s] === 'final' && statements.incomplete[s] === 0
          ? statements.result[s]?.[place]
          : undefined;
    if (image !== undefined && !images.has(v)) images.set(v, image);
  }
  return images;
}

/**
 * Returns the values of these columns, once exactly as written and once as some server may compare them. The result is
 * undefined if one is NULL or missing, since the row then refers to nothing.
 */
export function keyOf(image: Image, columns: readonly number[]): { readonly exact: string; readonly loose: string } | undefined {
  const parts = columns.map((column) => image[column] ?? null);
  if (parts.includes(null)) return undefined;
  return { exact: JSON.stringify(parts), loose: JSON.stringify(parts.map((part) => loosely(part!))) };
}
