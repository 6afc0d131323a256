/**
 * Who reads what and who writes what, in the pattern of one phenomenon each. `rx` reads item x, `wx` writes it; `!` at a
 * session's end: it rolls back.
 */
export interface Skeleton {
  readonly name: string;
  readonly sessions: readonly string[];
  /** Each way to read is tried in it with each way to write, before anything else. */
  readonly first?: true;
}

export const SKELETONS: readonly Skeleton[] = [
  { name: 'write skew', sessions: ['rx wy', 'ry wx'], first: true },
  { name: 'lost update', sessions: ['rx wx', 'rx wx'], first: true },
  { name: 'read-write skew', sessions: ['rx wy', 'wx wy'] },
  { name: 'read skew', sessions: ['rx ry', 'wx wy'] },
  { name: 'read twice', sessions: ['rx rx', 'wx'] },
  { name: 'circular flow', sessions: ['wx ry', 'wy rx'] },
  { name: 'dirty write', sessions: ['wx wy', 'wx wy'] },
  { name: 'dirty write, crossed', sessions: ['wx wy', 'wy wx'] },
  { name: 'intermediate read', sessions: ['rx wy', 'wx wx'] },
  { name: 'aborted read', sessions: ['rx wy', 'wx !'] },
  { name: 'write skew, both read', sessions: ['rx ry wx', 'rx ry wy'] },
  { name: 'own write read', sessions: ['wx rx', 'wx rx'] },
  { name: 'write skew of three', sessions: ['rx wy', 'ry wz', 'rz wx'] },
  { name: 'read-only anomaly', sessions: ['rx ry', 'wy', 'rx ry wx'] },
  { name: 'long fork', sessions: ['wx', 'wy', 'rx ry', 'ry rx'] },
  { name: 'write skew, bystander', sessions: ['rx wy', 'ry wx', 'rx'] },
];
