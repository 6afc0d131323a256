/** One of several parts of a run. Rounds (programs, schedules) are dealt in turn, so that all parts together do each once. */
export interface Shard {
  /** The part's number, from 1. */
  readonly index: number;
  readonly of: number;
}

/** Whether a turn, counted from 0, belongs to the shard. Without shards every turn does. */
export function isInShard(shard: Shard | undefined, turn: number): boolean {
  return shard === undefined || turn % shard.of === shard.index - 1;
}

/** How many of so many turns belong to the shard. */
export function ownTurns(shard: Shard | undefined, turns: number): number {
  return shard === undefined ? turns : Math.ceil((turns - shard.index + 1) / shard.of);
}

export function shardWord({ index, of }: Shard): string {
  return `${index}/${of}`;
}
