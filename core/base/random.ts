/** The only source of randomness, which every pure stage receives. schema-gen/prng.ts implements it. */
export interface Random {
  /** Uniform integer in [min, max], both included. */
  int(min: number, max: number): number;
  /** True with probability p. */
  chance(p: number): boolean;
  /** One element, uniformly. Throws on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** One key of a table of non-negative weights. Throws when all are zero. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
  /** An independent stream that depends only on this stream's seed and the label, not on what was drawn before. */
  fork(label: string): Random;
}
