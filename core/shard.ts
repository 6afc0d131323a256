/** One of so many parts of a run: the rounds (programs, schedules) are dealt in turn, so that all parts together do each once. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Whose turn it is, counted from 0; without shards everything is one's own. */
export function isInShard(shard: Shard | undefined, turn: number): boolean {
  return shard === undefined || turn % shard.of === shard.index - 1;
}

/** Of so many turns those that are one's own. */
export function ownTurns(shard: Shard | undefined, turns: number): number {
  return shard === undefined ? turns : Math.ceil((turns - shard.index + 1) / shard.of);
}

export function shardWord({ index, of }: Shard): string {
  return `${index}/${of}`;
}
