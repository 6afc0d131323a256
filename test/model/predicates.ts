/**
 * The true predicate dependencies (Adya 1999, 4.1.2; docs/PREDICATES.md): a predicate read picks a version of every row of its
 * table, unborn and dead ones included, and a version changes the matches if exactly one of it and its predecessor
 * satisfies the condition.
 *
 *   wrp  whoever made the last version up to the picked one that changes the matches -> the reader
 *   rwp  the reader -> whoever made a later version that changes them
 *
 * A key that was looked for and met a row (an upsert that put in nothing, the check of a foreign key) is a predicate read of
 * the newest state. Versions are installed ones: of several by one transaction in a row the last. A picked version that was
 * undone stands for the one before it. Conditions with a subquery, and joins, are not among these.
 */
import { apparent, rivalsOf } from './lineage.ts';
import type { Children } from './lineage.ts';
import type { PredicateRead } from './query.ts';
import type { ModelRun, TrueStatement } from './run-model.ts';
import { isLive } from './store.ts';
import type { Row, Version } from './store.ts';
import { SqlError } from './values.ts';
import type { SqlValue } from './values.ts';

export interface PredicateEdge {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly rel: 'wrp' | 'rwp';
  readonly row: Row;
  readonly statement: TrueStatement;
  readonly predicateRead: PredicateRead;
}

export interface TruePredicates {
  /** Of every predicate read that depends on one row at a time, one by one. */
  readonly edges: readonly PredicateEdge[];
  /** Keys of what may be drawn: those, and those of all conditions on one table in a statement taken as one, joined by OR. */
  readonly allowed: ReadonlySet<string>;
}

/** Of statements that count. */
export function predicatesOf(run: ModelRun, children: Children): TruePredicates {
  const edges: PredicateEdge[] = [];
  const allowed = new Set<string>();
  const forked = new Set([...rivalsOf(children).keys()].map((version) => version.row));
  const chains = new Map<Row, readonly Version[] | undefined>();
  for (const statement of run.statements) {
    if (statement.undone || !statement.predicateReads || run.transactions.get(statement.txn)?.outcome !== 'committed') continue;
    for (const predicateReads of readTogether(statement.predicateReads)) {
      const { table, met } = predicateReads[0]!;
      const picked = met ?? statement.picked!;
      for (const row of table.rows) {
        if (forked.has(row)) continue;
        if (!chains.has(row)) chains.set(row, installed(row, children));
        const chain = chains.get(row);
        if (chain === undefined || chain.length === 0) continue;
        let version: Version | null | undefined = picked.get(row);
        while (version?.undone) version = version.parent;
        const place = version ? chain.findIndex(({ txn }) => txn === version.txn) : -1;
        const each = predicateReads.map((predicateRead) => chain.map(({ values }) => values !== null && satisfied(predicateRead, values)));
        for (const [i, matches] of each.entries()) {
          for (const { rel, from, to } of dependencies(matches, chain, place, statement.txn)) {
            const key = `${rel} ${from} ${to} ${row.rid}`;
            edges.push({ key, from, to, rel, row, statement, predicateRead: predicateReads[i]! });
            allowed.add(key);
          }
        }
        const seen = version && picked.get(row)!.untracked ? apparent(version) : undefined;
        for (const [i, predicateRead] of predicateReads.entries()) {
          // What a foreign key's action made looks like the version before it, where the condition does not tell them apart.
          if (
            !seen ||
            !isLive(seen) ||
            !isLive(version) ||
            satisfied(predicateRead, seen.values) !== satisfied(predicateRead, version.values)
          )
            continue;
          const before = chain.findIndex(({ txn }) => txn === seen.txn);
          for (const { rel, from, to } of dependencies(each[i]!, chain, before, statement.txn))
            allowed.add(`${rel} ${from} ${to} ${row.rid}`);
        }
        if (predicateReads.length < 2) continue;
        const any = chain.map((_, k) => each.some((matches) => matches[k]));
        for (const { rel, from, to } of dependencies(any, chain, place, statement.txn)) allowed.add(`${rel} ${from} ${to} ${row.rid}`);
      }
    }
  }
  return { edges, allowed };
}

/** Those that met the same versions: all conditions on one table, and each look for a key. */
function readTogether(predicateReads: readonly PredicateRead[]): readonly (readonly PredicateRead[])[] {
  const conditions = predicateReads.filter(({ met }) => met === undefined);
  const tables = [...new Set(conditions.map(({ table }) => table))];
  return [
    ...tables.map((table) => conditions.filter((predicateRead) => predicateRead.table === table)),
    ...predicateReads.filter(({ met }) => met).map((predicateRead) => [predicateRead]),
  ];
}

/** A condition that fails on a version is not satisfied by it. */
function satisfied(predicateRead: PredicateRead, values: readonly SqlValue[]): boolean {
  try {
    return predicateRead.satisfies(values);
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

function dependencies(
  matches: readonly boolean[],
  chain: readonly Version[],
  place: number,
  reader: number,
): readonly Pick<PredicateEdge, 'rel' | 'from' | 'to'>[] {
  const found: Pick<PredicateEdge, 'rel' | 'from' | 'to'>[] = [];
  const changes = matches.map((match, k) => match !== (matches[k - 1] ?? false));
  const last = place < 0 ? -1 : changes.lastIndexOf(true, place);
  if (last >= 0 && chain[last]!.txn !== reader) found.push({ rel: 'wrp', from: chain[last]!.txn, to: reader });
  for (let k = place + 1; k < chain.length; k++)
    if (changes[k] && chain[k]!.txn !== reader) found.push({ rel: 'rwp', from: reader, to: chain[k]!.txn });
  return found;
}

/** Of two, one made by a foreign key's action, that one was lost. */
function after(version: Version, children: Children): Version | undefined {
  const next = children.get(version) ?? [];
  return next.find((each) => !each.untracked) ?? next[0];
}

/** Installed versions in order; undefined where those of one transaction do not stand together. */
function installed(row: Row, children: Children): readonly Version[] | undefined {
  const chain: Version[] = [];
  let next = [...row.versions, ...row.lost].find((version) => version.parent === null && version.commitAt !== Infinity);
  for (; next; next = after(next, children)) {
    if (chain.at(-1)?.txn === next.txn) chain.pop();
    chain.push(next);
  }
  return new Set(chain.map(({ txn }) => txn)).size === chain.length ? chain : undefined;
}
