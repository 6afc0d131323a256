/**
 * Who replaced whom: the versions of a row as a tree of parents and children. In a database that is not broken every
 * tree is a line.
 */
import type { Row, Version } from './store.ts';

export type Children = ReadonlyMap<Version, readonly Version[]>;

/** Committed versions under the version that each replaced. */
export function childrenOf(rows: readonly Row[]): Children {
  const children = new Map<Version, Version[]>();
  for (const row of rows) {
    for (const version of [...row.versions, ...row.lost]) {
      const { parent } = version;
      if (!parent) continue;
      const list = children.get(parent);
      if (list) list.push(version);
      else children.set(parent, [version]);
    }
  }
  return children;
}

/** Versions that replaced the same one: a list can hold only one of them. */
export function rivalsOf(children: Children): Map<Version, Version[]> {
  const rivals = new Map<Version, Version[]>();
  for (const [parent, versions] of children) {
    const seen = apparent(parent);
    const list = rivals.get(seen) ?? [];
    list.push(...versions.filter((version) => !version.untracked));
    rivals.set(seen, list);
  }
  for (const [parent, list] of rivals) if (list.length < 2) rivals.delete(parent);
  return rivals;
}

/** What an observer can take for the direct successors of a version: its children, those of silent ones in their place. */
export function standIns(version: Version, children: Children): Version[] {
  const result: Version[] = [];
  const open = [...(children.get(version) ?? [])];
  for (let next = open.pop(); next; next = open.pop()) {
    result.push(next);
    if (next.untracked) open.push(...(children.get(next) ?? []));
  }
  return result;
}

/** The version whose list an observer of this one sees, as far as it counts: the nearest that is neither silent nor undone. */
export function apparent(version: Version): Version {
  let v = version;
  while ((v.untracked || v.undone) && v.parent) v = v.parent;
  return v;
}

export function isIntermediate(version: Version, children: Children): boolean {
  return (children.get(version) ?? []).some((next) => next.txn === version.txn && !next.untracked);
}

/**
 * All later versions of the row that an rw edge and ww edges lead to: none behind a silent one (what an observer sees is
 * not certain then), none behind the reader's own.
 */
export function descendants(version: Version, reader: number, children: Children): Version[] {
  const result: Version[] = [];
  const open = [...(children.get(version) ?? [])];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.untracked || next.txn === reader) continue;
    result.push(next);
    open.push(...(children.get(next) ?? []));
  }
  return result;
}
