/**
 * A history in the form that the solver uses, in columns: transactions that count, numbered session by session; nodes
 * of an order; versions of keys with their writers and readers. Two facts are open: the order of the writers of a key,
 * and whose write a read of a repeated value returned.
 *
 * A session is a chain of nodes. A transaction of SERIALIZABLE is one node, one of SNAPSHOT ISOLATION two, begin and
 * commit. so, wr and ww run from a commit to a begin, rw from a begin to a commit. Each transaction has its own level,
 * and a history may mix the two. Transactions of weaker levels are one node. Their reads do not ask for the version in
 * force but for an order of its writers (weak-levels.ts).
 */
import type { AwditLevel } from '../../core/index.ts';
import type { Links } from '../mini/link.ts';

export interface Problem {
  readonly links: Links;
  readonly size: number;
  /** The index in the history of each transaction. */
  readonly txn: Int32Array;
  readonly session: Int32Array;
  readonly sessions: number;
  /** The nodes of each transaction, equal if it is one node. */
  readonly begin: Int32Array;
  readonly commit: Int32Array;
  /** The nodes of session s: nodeStart[s] .. nodeStart[s + 1]. Nodes beyond the last session's belong to real time. */
  readonly nodeStart: Int32Array;
  readonly chainNodes: number;
  readonly nodeCount: number;
  /** The transaction of a node, -1 for one of real time, and the session of a node, -1 likewise. */
  readonly nodeTxn: Int32Array;
  readonly nodeSession: Int32Array;
  readonly keyCount: number;
  /** Returns the number of the key of an operation. */
  readonly keyOf: (op: number) => number;
  /**
   * The versions of transaction t: writeStart[t] .. ; version v is of key writeKey[v]. The initial one of key k is
   * versions + k.
   */
  readonly versions: number;
  readonly writeStart: Int32Array;
  readonly writeKey: Int32Array;
  readonly writeOp: Int32Array;
  readonly versionTxn: Int32Array;
  /**
   * The versions of key k by transaction: keyVersion[keyStart[k] ..]. Among them are runs of one session: group g is
   * groupStart[g] ..
   */
  readonly keyStart: Int32Array;
  readonly keyVersion: Int32Array;
  readonly keyGroup: Int32Array;
  readonly groupStart: Int32Array;
  readonly groupSession: Int32Array;
  /** The reads from outside: a version, or -1 - c for choice c. */
  readonly readStart: Int32Array;
  readonly readVersion: Int32Array;
  readonly readOp: Int32Array;
  /** The read slots of a version, the last of each session only, by transaction. */
  readonly readerStart: Int32Array;
  readonly readerSlot: Int32Array;
  readonly slotTxn: Int32Array;
  readonly choices: readonly Choice[];
  /** The level of a transaction whose reads do not ask for the version in force. Undefined means that they do. */
  readonly weak: (t: number) => AwditLevel | undefined;
  /** Every read of those, in program order, as above. Their slots follow the others: readVersion.length + i. */
  readonly weakStart: Int32Array;
  readonly weakVersion: Int32Array;
  /** The demands that hold whatever the choices are, and the choices that further demands rest on. */
  readonly demands: readonly Demand[];
  readonly toChoose: readonly number[];
  /** The place of each node, for ties (hints.ts). */
  readonly hint: Int32Array;
  /**
   * Ends before begins: the transactions of each real-time node, by end, and the node that each transaction begins
   * after.
   */
  readonly realTime: { readonly enters: Int32Array; readonly leaves: Int32Array } | undefined;
}

/** A read of a value that several transactions wrote. */
export interface Choice {
  readonly slot: number;
  readonly versions: readonly number[];
}

export interface ProblemOptions {
  /** Tells for each transaction of the history whether it reads a snapshot of its begin, or all at its commit. */
  readonly snapshot: (txn: number) => boolean;
  readonly strict: boolean;
  /** The transactions of a level that is neither. The default is none. */
  readonly weak?: (txn: number) => AwditLevel | undefined;
  /** Some transactions only, ascending. The default is all that count. Reads from others demand nothing. */
  readonly only?: Int32Array;
}

/** The demand of a weaker level that follows from a read. */
export interface Demand {
  /** The first writer comes before the second. -1 is the initial transaction, before which nothing can come. */
  readonly first: number;
  readonly second: number;
  /** The slot of the read that demands it. */
  readonly slot: number;
  /** The choices that it rests on. For cc these are only the read's own, see `groundsOf`. */
  readonly choices: readonly number[];
}
