/**
 * Reads of values that no transaction can have written. An object may be missing although every object exists from the
 * start and nothing deletes. A value or a list may be one that no statement of the round makes.
 *
 * The read is certainly impossible under three conditions. The round is complete, and the transaction committed. The
 * object had been shown before the transaction began, so the rows had arrived everywhere. Otherwise it is a doubt that
 * leaves the round's levels open.
 */
import { fingerprintOf, violates } from '../../../../check/index.ts';
import { TXN_STATUS, wordingOf } from '../../../../core/index.ts';
import type { Anomaly, History, LevelAnswer } from '../../../../core/index.ts';
import { KEY_VALUE_TABLE } from '../../../../schema-gen/index.ts';
import type { ObservedAccesses } from './accesses.ts';

/** A read that no write explains. */
export interface OddRead {
  readonly statement: number;
  readonly key: number;
  /** `nothing`: no row of the object was found. That is known to be impossible only if the object had been shown before. */
  readonly saw: 'nothing' | { readonly value: string | null } | ListSeen;
}

interface ListSeen {
  readonly list: string | null;
}

export interface ListRead extends OddRead {
  readonly saw: ListSeen;
}

export interface ImpossibleReads {
  readonly anomalies: readonly Anomaly[];
  /** The reason why levels without a known violation cannot be confirmed. */
  readonly undecided: string | undefined;
}

/** `rowName`: the name of the object with a key. */
export function impossibleReads(
  history: History,
  observed: Pick<ObservedAccesses, 'accesses' | 'missing'>,
  odd: readonly OddRead[],
  rowName: (key: number) => string = String,
): ImpossibleReads {
  const { statements, transactions } = history;
  const status = ({ statement }: OddRead): number => transactions.status[statements.txn[statement]!]!;
  const shown = shownBefore(history, observed.accesses);
  const certain = (read: OddRead): boolean =>
    history.complete && status(read) === TXN_STATUS.committed && (read.saw !== 'nothing' || shown(read));
  const reads = [...gone(history, observed), ...odd].filter((read) => status(read) !== TXN_STATUS.aborted);
  const proven = reads.filter(certain);
  const open = reads.filter((read) => !proven.includes(read));
  return {
    anomalies: proven[0] === undefined ? [] : [anomalyOf(history, proven[0], proven.length, rowName)],
    undecided:
      open[0] === undefined
        ? undefined
        : `${sentence(history, open[0], rowName)}, which no statement can have left; why is not known${open.length === 1 ? '' : ` (${open.length} statements)`}`,
  };
}

/** Lowers the answers of levels without another known violation, because of impossible reads. */
export function withImpossible(levels: readonly LevelAnswer[], { anomalies, undecided }: ImpossibleReads): readonly LevelAnswer[] {
  const broken = new Set(anomalies.flatMap((anomaly) => anomaly.levels));
  return levels.map((each): LevelAnswer => {
    if (broken.has(each.level)) return { level: each.level, answer: false };
    return undecided !== undefined && each.answer === true ? { level: each.level, answer: 'unknown', reason: undecided } : each;
  });
}

/** Adds another reason why no level can be confirmed. */
export function withDoubt(reads: ImpossibleReads, doubt: string | undefined): ImpossibleReads {
  return doubt === undefined || reads.undecided !== undefined ? reads : { ...reads, undecided: doubt };
}

/** Returns objects that a statement did not find, including those that a closing read does not show. */
function gone({ statements }: History, { accesses, missing }: Pick<ObservedAccesses, 'accesses' | 'missing'>): OddRead[] {
  const known = new Set<number>();
  const listed = new Map<number, Set<number>>();
  for (let s = 0; s < statements.count; s++)
    if (statements.kind[s] === 'final' && statements.result[s] !== undefined) listed.set(s, new Set());
  for (const { statement, key, write, late } of accesses) {
    listed.get(statement)?.add(key);
    if (!write && late === undefined) known.add(key);
  }
  const absent = [...listed].flatMap(([statement, keys]) => [...known].filter((key) => !keys.has(key)).map((key) => ({ statement, key })));
  return [...missing, ...absent].map((each): OddRead => ({ ...each, saw: 'nothing' }));
}

/**
 * Tells whether a query had shown the object before this statement's transaction began, or earlier in it. For an update,
 * an earlier change of the object counts too: both work on the newest row, while a query may see an old state.
 */
function shownBefore({ statements, transactions }: History, accesses: ObservedAccesses['accesses']): (read: OddRead) => boolean {
  const read = new Map<number, number>();
  const touched = new Map<number, number>();
  const own = new Map<string, number>();
  const since = (times: Map<number, number>, key: number): number => times.get(key) ?? Number.POSITIVE_INFINITY;
  for (const { statement: s, key, write, late } of accesses) {
    if (late === true) continue;
    const kind = statements.kind[s];
    const at = statements.replyAt[s]!;
    if (Number.isNaN(at) || kind === 'insert') continue;
    touched.set(key, Math.min(since(touched, key), at));
    if (write || kind === 'update') continue;
    read.set(key, Math.min(since(read, key), at));
    const name = `${statements.txn[s]} ${key}`;
    if (!own.has(name)) own.set(name, s);
  }
  return ({ statement: s, key }) => {
    const t = statements.txn[s]!;
    return (
      since(statements.kind[s] === 'update' ? touched : read, key) < transactions.beginAt[t]! ||
      (own.get(`${t} ${key}`) ?? Number.POSITIVE_INFINITY) < s
    );
  };
}

function anomalyOf(history: History, read: OddRead, count: number, rowName: (key: number) => string): Anomaly {
  const { statements, transactions } = history;
  const found = { class: 'thin-air', shapes: [], cycle: [] } as const;
  const more = count === 1 ? '' : ` ${count} statements of the round saw such a thing.`;
  return {
    ...found,
    levels: violates(found),
    transactions: [transactions.id[statements.txn[read.statement]!]!],
    statements: [read.statement],
    explanation: `${sentence(history, read, rowName)}, which no statement of the round can have left: every object is there from the start, nothing deletes, and all writes are known.${more}`,
    row: { table: KEY_VALUE_TABLE, row: rowName(read.key) },
    unseen: true,
    fingerprint: fingerprintOf('thin-air', [], [], statements.kind, [read.statement]),
  };
}

function sentence(history: History, { statement, key, saw }: OddRead, rowName: (key: number) => string): string {
  return `${wordingOf(history).statement(statement)} was about the object ${rowName(key)} and ${seenWords(saw)}`;
}

function seenWords(saw: OddRead['saw']): string {
  if (saw === 'nothing') return 'found no row of it';
  return 'list' in saw ? `saw the list ${JSON.stringify(saw.list)}` : `saw ${JSON.stringify(saw.value)}`;
}
