/**
 * The sessions that read and write each item, in the pattern of one phenomenon each. `rx` reads item x, `wx` writes it.
 * `!` at a session's end means that it rolls back. `~` before its one word is a statement that commits by itself. `>`
 * before its words means that it begins when the session before it is over. `cx` changes the table of item x itself
 * (skeletons of table-changes.ts).
 */
export interface Skeleton {
  readonly name: string;
  readonly sessions: readonly string[];
  /** Each way to read and each way to write is tried in it, before the pairs. */
  readonly first?: true;
  /** Each way to read is tried in it beside the ways to write that are partners. */
  readonly partners?: true;
  /** One of the others with a bystander. It comes after those. */
  readonly bystander?: true;
  /** It was computed from its conflict graph (derived-skeletons.ts). It comes after those with a bystander. */
  readonly derived?: true;
  /**
   * A table is changed within a transaction of several statements, or in one that is rolled back
   * (Capabilities.tableChanges).
   */
  readonly within?: true;
}

const ALONE: readonly Skeleton[] = [
  { name: 'write skew', sessions: ['rx wy', 'ry wx'], first: true, partners: true },
  { name: 'lost update', sessions: ['rx wx', 'rx wx'], first: true },
  { name: 'read-write skew', sessions: ['rx wy', 'wx wy'] },
  { name: 'write behind a read', sessions: ['rx wy', 'wx'] },
  { name: 'write behind a read, crossed', sessions: ['ry wx', 'wy'] },
  { name: 'read skew', sessions: ['rx ry', 'wx wy'] },
  { name: 'read twice', sessions: ['rx rx', 'wx'] },
  { name: 'circular flow', sessions: ['wx ry', 'wy rx'] },
  { name: 'dirty write', sessions: ['wx wy', 'wx wy'] },
  { name: 'dirty write, crossed', sessions: ['wx wy', 'wy wx'] },
  { name: 'intermediate read', sessions: ['rx wy', 'wx wx'] },
  { name: 'aborted read', sessions: ['rx wy', 'wx !'] },
  { name: 'write skew, both read', sessions: ['rx ry wx', 'rx ry wy'] },
  { name: 'own write read', sessions: ['wx rx', 'wx rx'] },
  { name: 'monotonic reads', sessions: ['rx rx', 'wx wx'] },
  { name: 'write beside read twice', sessions: ['rx rx', '~wx'] },
  { name: 'write beside lost update', sessions: ['rx wx', '~wx'] },
  { name: 'read beside writes', sessions: ['~rx', 'wx wy', 'ry wx'] },
  { name: 'observed transaction vanishes', sessions: ['wx wy', 'wx wy', 'rx ry'] },
  { name: 'write skew of three', sessions: ['rx wy', 'ry wz', 'rz wx'] },
  { name: 'read skew of three', sessions: ['rx rz', 'wx wy', 'ry wz'] },
  { name: 'circular flow of three', sessions: ['wx ry', 'wy rz', 'wz rx'] },
  { name: 'read-only anomaly', sessions: ['rx ry', 'wy', 'rx ry wx'] },
  { name: 'one old, many young', sessions: ['rx ry wz', 'wx', '>wy', '>rx rz'] },
  { name: 'one old, many young writers', sessions: ['rx wy', 'wx', '>ry wx', '>wx'] },
  { name: 'long fork', sessions: ['wx', 'wy', 'rx ry', 'ry rx'] },
];

/** Some of these, each with one more session. */
const BESIDE: readonly Skeleton[] = [
  { name: 'write skew, bystander', sessions: ['rx wy', 'ry wx', 'rx'], bystander: true },
  ...bystander('~rx', [
    'lost update',
    'read-write skew',
    'read skew',
    'read twice',
    'circular flow',
    'dirty write',
    'intermediate read',
    'aborted read',
    'monotonic reads',
  ]),
  ...bystander('~wx', ['write skew']),
];

function bystander(session: string, names: readonly string[]): readonly Skeleton[] {
  const does = session.includes('r') ? 'a reader' : 'a writer';
  return ALONE.filter(({ name }) => names.includes(name)).map(({ name, sessions }) => ({
    name: `${name}, ${does} beside`,
    sessions: [...sessions, session],
    bystander: true,
  }));
}

/** Those listed by hand. The catalogue has computed ones beside them (derived-skeletons.ts). */
export const SKELETONS: readonly Skeleton[] = [...ALONE, ...BESIDE];
