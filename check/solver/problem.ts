/**
 * A history as the solver sees it, in columns: transactions that count, numbered session by session; nodes of an order;
 * versions of keys with their writers and readers. What is open is only the order of the writers of a key, and whose
 * write a read of a repeated value returned.
 *
 * A session is a chain of nodes. A transaction of SERIALIZABLE is one node, one of SNAPSHOT ISOLATION two, begin and
 * commit: so, wr and ww run from a commit to a begin, rw from a begin to a commit. Each transaction is of its own level:
 * a history may mix the two, and have transactions of weaker levels beside them, which are one node: their reads do not
 * ask for the version in force but for an order of its writers, which weak-levels.ts says.
 */
import type { AwditLevel } from '../../core/index.ts';
import type { Links } from '../mini/link.ts';

export interface Problem {
  readonly links: Links;
  readonly size: number;
  /** Index in the history of each transaction. */
  readonly txn: Int32Array;
  readonly session: Int32Array;
  readonly sessions: number;
  /** Nodes of each transaction: equal where it is one node. */
  readonly begin: Int32Array;
  readonly commit: Int32Array;
  /** Nodes of session s: nodeStart[s] .. nodeStart[s + 1]; nodes beyond the last session's are of real time. */
  readonly nodeStart: Int32Array;
  readonly chainNodes: number;
  readonly nodeCount: number;
  /** Transaction of a node, -1 for one of real time; session of a node, -1 likewise. */
  readonly nodeTxn: Int32Array;
  readonly nodeSession: Int32Array;
  readonly keyCount: number;
  /** Number of the key of an operation. */
  readonly keyOf: (op: number) => number;
  /** Versions of transaction t: writeStart[t] .. ; version v is of key writeKey[v]; the initial one of key k is versions + k. */
  readonly versions: number;
  readonly writeStart: Int32Array;
  readonly writeKey: Int32Array;
  readonly writeOp: Int32Array;
  readonly versionTxn: Int32Array;
  /** Versions of key k by transaction: keyVersion[keyStart[k] ..]; of them, runs of one session: group g is groupStart[g] .. */
  readonly keyStart: Int32Array;
  readonly keyVersion: Int32Array;
  readonly keyGroup: Int32Array;
  readonly groupStart: Int32Array;
  readonly groupSession: Int32Array;
  /** Reads from outside: of a version, or -1 - c for choice c. */
  readonly readStart: Int32Array;
  readonly readVersion: Int32Array;
  readonly readOp: Int32Array;
  /** Read slots of a version, the last of each session only, by transaction. */
  readonly readerStart: Int32Array;
  readonly readerSlot: Int32Array;
  readonly slotTxn: Int32Array;
  readonly choices: readonly Choice[];
  /** Level of a transaction whose reads do not ask for the version in force; undefined: they do. */
  readonly weak: (t: number) => AwditLevel | undefined;
  /** Reads of those, every one, in program order, as above; their slots follow the others: readVersion.length + i. */
  readonly weakStart: Int32Array;
  readonly weakVersion: Int32Array;
  /** What they demand whatever the choices are, and the choices that more rests on. */
  readonly demands: readonly Demand[];
  readonly toChoose: readonly number[];
  /** Per node: its place, for ties (hints.ts). */
  readonly hint: Int32Array;
  /** Ends before begins: transactions of each real-time node, by end, and the node each transaction begins after. */
  readonly realTime: { readonly enters: Int32Array; readonly leaves: Int32Array } | undefined;
}

/** A read of a value that several transactions wrote. */
export interface Choice {
  readonly slot: number;
  readonly versions: readonly number[];
}

export interface ProblemOptions {
  /** Of each transaction of the history: does it read a snapshot of its begin, or all at its commit? */
  readonly snapshot: (txn: number) => boolean;
  readonly strict: boolean;
  /** Transactions of a level that is neither; default: there are none. */
  readonly weak?: (txn: number) => AwditLevel | undefined;
  /** Some transactions only, ascending; default: all that count. Reads from others demand nothing then. */
  readonly only?: Int32Array;
}

/** What a weaker level makes of a read. */
export interface Demand {
  /** This writer comes before that one; -1: before the initial transaction, which cannot be. */
  readonly first: number;
  readonly second: number;
  /** Of the read that demands it. */
  readonly slot: number;
  /** Choices that it rests on; of cc only the read's own, see `groundsOf`. */
  readonly choices: readonly number[];
}
