/** `--shard i/n`. Options that shards cannot share are refused before anything is started. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { UsageError, shardWord } from '../../../core/index.ts';
import type { Shard } from '../../../core/index.ts';

export const SHARD = 'of all shards of the same command the part i of n: each does its own, anomalist merge adds them up';

export function parseShard(text: string): Shard {
  const [, index, of] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (Number.isSafeInteger(shard.of) && shard.index <= shard.of) return shard;
  throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected i/n, such as 3/8, with i from 1 to n.`);
}

interface RunWords {
  readonly shard?: Shard | undefined;
  readonly seed?: number | undefined;
  readonly cases?: number | undefined;
  readonly towards?: string | undefined;
  readonly explore?: number | undefined;
}

/** `isFile`: the workload is a file. */
export function expectRunShardable({ shard, seed, cases, towards, explore }: RunWords, isFile: boolean): void {
  if (shard === undefined) return;
  const word = `--shard ${shardWord(shard)}`;
  expectSeed(word, seed);
  if (cases !== undefined && cases < shard.index)
    throw new UsageError(`${word}: of ${cases} rounds none is its own; expected --cases of ${shard.of} or more.`);
  if (towards === 'unmet')
    throw new UsageError(
      `${word}: what has met is not known of the other shards' rounds; expected --towards none (the default here) or forms.`,
    );
  if (explore !== undefined && isFile) throw ofFile(word, '--explore');
}

interface ExploreWords extends Pick<RunWords, 'shard' | 'seed'> {
  readonly program?: number | undefined;
  readonly programs?: number | undefined;
  readonly file?: string | undefined;
}

export function expectExploreShardable({ shard, seed, program, programs, file }: ExploreWords): void {
  if (shard === undefined) return;
  const word = `--shard ${shardWord(shard)}`;
  expectSeed(word, seed);
  if (program !== undefined) throw new UsageError(`${word}: --program is one program; leave out one of the two.`);
  if (file !== undefined) throw ofFile(word, 'the file');
  if (programs !== undefined && programs < shard.index)
    throw new UsageError(`${word}: of ${programs} programs none is its own; expected --programs of ${shard.of} or more.`);
}

function expectSeed(word: string, seed: number | undefined): void {
  if (seed === undefined) throw new UsageError(`${word}: all shards of one run have the same seed; expected --seed N, the same N for all.`);
}

function ofFile(word: string, other: string): UsageError {
  return new UsageError(`${word}: what is said of a file's small programs rests on all of them; leave out --shard or ${other}.`);
}
