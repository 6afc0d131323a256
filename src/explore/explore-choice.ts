/** The choice of what an exploration runs, and the command that makes the same choice again. */
import { shardWord } from '../../core/base/index.ts';
import type { Shard } from '../../core/base/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { Program } from '../../core/program/index.ts';
import type { CatalogueName } from '../../schema-gen/index.ts';
import { shellWord } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import type { Orders } from './explore-program.ts';
import { fileWords } from './file-choice.ts';

/** The programs, levels and options of an exploration, wherever they come from. */
export interface ExploreChoice {
  /** Absent: only the default level. */
  readonly level?: readonly Level[] | undefined;
  /** Milliseconds for all levels together. */
  readonly duration?: number | undefined;
  readonly programs?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly program?: number | undefined;
  readonly orders: Orders;
  readonly workers?: number | undefined;
  /** Absent: the catalogue of transactions. */
  readonly catalogue?: CatalogueName | undefined;
  readonly only?: readonly string[] | undefined;
  /** True: the pair matrix alone, and all of it where no duration is given. */
  readonly pairs?: boolean | undefined;
  /** Only the pair of this number. */
  readonly pair?: number | undefined;
  readonly file?: string | undefined;
  /** The text of the file. Absent: it is read. */
  readonly text?: string | undefined;
  readonly transaction?: readonly string[] | undefined;
  readonly triples?: boolean | undefined;
  readonly cures?: boolean | undefined;
  /** The sessions of each program race (rendezvous/). Absent: its orders are run step by step. */
  readonly rendezvous?: boolean | undefined;
  readonly draws?: number | undefined;
  readonly scale?: number | undefined;
}

export function commandOf(target: Target, levels: readonly DialectLevel[], seed: string, { orders, ...options }: ExploreChoice): string {
  const chosen = levels.map(({ level }) => `--level ${level}`);
  return [
    'anomalist explore',
    ...fileWords(options),
    target.words,
    ...(options.rendezvous === true ? ['--rendezvous'] : []),
    ...(options.catalogue === 'ddl' ? ['--catalogue ddl'] : []),
    ...(options.only ?? []).map((word) => `--only ${shellWord(word)}`),
    ...chosen,
    `--seed ${seed}`,
    ...(orders === 'pruned' ? [] : [`--orders ${orders}`]),
    ...(options.pairs === true ? ['--pairs'] : []),
    ...(options.pair === undefined ? [] : [`--pair ${options.pair}`]),
    ...(isRange(options) ? [`--program ${options.program} --programs ${options.programs}`] : []),
    ...(options.shard ? [`--shard ${shardWord(options.shard)}`] : []),
  ].join(' ');
}

/** True for a number of the catalogue's programs from one on. */
export function isRange({ program, programs }: Pick<ExploreChoice, 'program' | 'programs'>): boolean {
  return program !== undefined && programs !== undefined;
}

/** What a command for one program or pair leaves out of the exploration's options. */
const WHOLE = { shard: undefined, program: undefined, pairs: undefined, pair: undefined } as const;

/** Returns the command that runs one program, or one pair of the matrix, again. */
export function commandForOne(
  target: Target,
  level: DialectLevel,
  seed: string,
  choice: ExploreChoice,
): (program: Pick<Program, 'number' | 'telling'>) => string {
  const command = commandOf(target, [level], seed, { ...choice, ...WHOLE });
  return ({ number, telling }) => `${command} ${telling === undefined ? '--program' : '--pair'} ${number}`;
}
