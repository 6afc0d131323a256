/** The runs of a merged report, and those that are missing. */
import { UsageError, shardWord } from '../../../core/index.ts';
import type { MergedPart, Shard } from '../../../core/index.ts';

/** Sorts the parts, independent of the order in which they were named. */
export function inOrder<P extends Pick<MergedPart, 'command' | 'shard' | 'digest'>>(parts: readonly P[]): readonly P[] {
  return parts.toSorted(
    (a, b) => compared(a.command, b.command) || (a.shard?.index ?? 0) - (b.shard?.index ?? 0) || compared(a.digest, b.digest),
  );
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Refuses a run, or a shard of a run, that is named twice. */
export function expectDistinct(parts: readonly MergedPart[]): void {
  const digests = new Map<string, MergedPart>();
  const shards = new Map<string, MergedPart>();
  for (const part of parts) {
    if (digests.has(part.digest))
      throw new UsageError(`run ${part.runId} is there twice; expected each run once: name its folder once, or leave its copy out.`);
    digests.set(part.digest, part);
    if (part.shard === undefined) continue;
    const key = JSON.stringify([part.command, shardWord(part.shard)]);
    const before = shards.get(key);
    if (before !== undefined)
      throw new UsageError(
        `shard ${shardWord(part.shard)} of \`${part.command}\` is there twice, as runs ${before.runId} and ${part.runId}: its rounds would be counted twice; leave one of them out.`,
      );
    shards.set(key, part);
  }
}

/** Returns the reason why the sum is less than what was asked for. */
export function whyEndedEarly(parts: readonly MergedPart[]): string | undefined {
  const ended = parts.flatMap(({ runId, shard, endedEarly }) =>
    endedEarly === undefined ? [] : [`run ${runId}${shard === undefined ? '' : ` (shard ${shardWord(shard)})`} ended early: ${endedEarly}`],
  );
  const all = [...missingShards(parts), ...ended];
  return all.length === 0 ? undefined : all.join('; ');
}

/** Returns a line for each run with missing shards. */
export function missingShards(parts: readonly Pick<MergedPart, 'command' | 'shard'>[]): readonly string[] {
  const sharded = parts.filter(isShard);
  return [...new Set(sharded.map(({ command }) => command))].flatMap((command) => {
    const shards = sharded.filter((part) => part.command === command);
    const of = Math.max(...shards.map(({ shard }) => shard.of));
    const other = shards.find(({ shard }) => shard.of !== of);
    if (other !== undefined)
      throw new UsageError(
        `\`${command}\` was dealt to ${other.shard.of} shards in one of the folders and to ${of} in another: their rounds are not each other's rest; expected the shards of one run.`,
      );
    const here = new Set(shards.map(({ shard }) => shard.index));
    const lacking = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !here.has(index));
    return lacking.length === 0 ? [] : [`of \`${command}\` ${wordsOf(lacking, of)} missing`];
  });
}

function isShard<P extends Pick<MergedPart, 'shard'>>(part: P): part is P & { readonly shard: Shard } {
  return part.shard !== undefined;
}

function wordsOf(lacking: readonly number[], of: number): string {
  return `${lacking.length === 1 ? 'shard' : 'shards'} ${lacking.map((index) => shardWord({ index, of })).join(', ')} ${lacking.length === 1 ? 'is' : 'are'}`;
}

/** Returns the command that all shards of one run share. */
export function withoutShard(command: string): string {
  return command.replace(/ --shard \d+\/\d+/, '');
}
