/**
 * Tells whether a row got another primary key between two of its versions. Engines that store a table by its key treat
 * it as two rows: the old one is deleted and the new one inserted. Our row id stays the same. The key is read from the
 * user columns of the versions (the images that writes returned, and the initial rows) at the places that the round
 * names as the key. The answer is false if these are not known. A statement that shows one row in two versions, with
 * and without the reader's own write, has met two rows as well.
 */
import { NONE, ROLE } from '../../core/history/index.ts';
import type { History, Image } from '../../core/history/index.ts';
import type { VersionOrder } from './order.ts';

/** The number of links of a chain that are followed. */
const WALK = 64;

/** Tells whether the statement read the row twice, and one of these versions follows from `version`. */
export function shownBeside(history: History, order: VersionOrder, statement: number, version: number): boolean {
  const { observations } = history;
  for (let o = 0; o < observations.count; o++) {
    if (observations.statement[o] !== statement || observations.row[o] !== order.row[version]) continue;
    for (let e = observations.start[o]; e < observations.start[o] + observations.length[o]; e++)
      if (order.versionOf[e] === version) return true;
  }
  return false;
}

/**
 * Looks from a version to a later one of the same row. It reads all observations, and is therefore called for reported
 * anomalies only.
 */
export function movedBetween(history: History, order: VersionOrder, from: number, to: number): boolean {
  const row = order.row[from];
  const key = history.round.keys?.[history.rows.table[row]];
  if (key === undefined || key.length === 0) return false;
  const keys = new Map<number, string>(); // version -> its key
  const add = (version: number, image: Image | undefined): void => {
    if (image !== undefined) keys.set(version, JSON.stringify(key.map((place) => image[place])));
  };
  for (const { rids, images } of history.images) {
    const at = rids.indexOf(history.rows.rid[row]);
    if (at >= 0) add(order.find(row, 0, 0), images[at]);
  }
  const { observations } = history;
  for (let o = 0; o < observations.count; o++) {
    if (observations.row[o] !== row || observations.role[o] !== ROLE.write || observations.length[o] === 0) continue;
    add(order.versionOf[observations.start[o] + observations.length[o] - 1], observations.image[o]);
  }
  let first: string | undefined;
  for (let v = from, step = 0; v !== NONE && step < WALK; step++, v = order.next[v]) {
    const own = keys.get(v);
    if (own !== undefined && first !== undefined && own !== first) return true;
    first ??= own;
    if (v === to) break;
  }
  return false;
}
