/**
 * Explores .spec files, or a folder of them, with their steps sent as they are. Their SQL is not ours and may touch
 * anything, so they run only on a server that was started for them and is thrown away behind them.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import type { DialectLevel, ServerFacts } from '../../../core/dialect/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { RawReport, RawSpec } from '../../../reports/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import type { Orders } from '../../explore/explore-program.ts';
import type { Progress } from '../../process/progress.ts';
import { VERSION } from '../../process/version.ts';
import { ownSettingsOf, shellWord } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { parseSpec } from '../spec/parse-spec.ts';
import { inOwnDatabase } from './own-database.ts';
import { rawOrders } from './raw-orders.ts';
import { rawSpec } from './raw-spec.ts';

export interface RawChoice {
  readonly path: string;
  readonly level?: Level | undefined;
  readonly orders: Orders;
}

interface Around {
  readonly seed: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Returns the .spec files of the path in their natural order; undefined: the path names neither a .spec nor a folder. */
export function specFiles(path: string): readonly string[] | undefined {
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!folder) return path.endsWith('.spec') ? [path] : undefined;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.spec'));
  if (names.length === 0)
    throw new UsageError(`explore ${path}: the folder holds no .spec file; expected a FILE.sql, a .spec or a folder of them.`);
  return names.sort(new Intl.Collator('en', { numeric: true }).compare).map((name) => join(path, name));
}

/** A single file that cannot be read is an error. In a folder it is an entry of the report, and the others go on. */
export async function exploreSpecs(target: Target, choice: RawChoice, { seed, progress, signal }: Around): Promise<RawReport> {
  const { path, level: asked, orders } = choice;
  const { dialect, log } = target;
  if (log === undefined)
    throw new UsageError(`explore ${path}: the steps are sent as they are, so they run only on a server of our own; expected --target.`);
  const level = asked === undefined ? undefined : levelOf(target, asked);
  const files = specFiles(path) ?? [path];
  const startedAt = new Date();
  const { version, configuration } = await factsOf(target);
  const specs: RawSpec[] = [];
  let endedEarly: string | undefined;
  for (const [at, file] of files.entries()) {
    if (signal.aborted) break;
    const tick = (done: number, of: number): void =>
      progress.tick(() => [`${at} of ${files.length} files`, `${done} of ${of} orders`, file]);
    try {
      const spec = parseSpec(readFileSync(file, 'utf8'), file);
      const lists = rawOrders(spec, orders, createRandom(seed).fork(`orders of ${spec.path}`));
      const setting = { dialect, configuration, level, signal, tick };
      specs.push(await inOwnDatabase(dialect, target.urls[0]!, (url) => rawSpec(spec, lists, { ...setting, url })));
    } catch (error) {
      if (error instanceof UsageError && files.length > 1) specs.push(refused(file, error.message));
      else if (error instanceof DatabaseError) {
        endedEarly = `${file}: ${error.message}`;
        break;
      } else throw error;
    }
  }
  if (signal.aborted) endedEarly = 'interrupted';
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(target, choice, seed),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    target: target.name,
    server: version,
    ...ownSettingsOf(target),
    seed,
    ...(asked !== undefined && { level: asked }),
    specs,
    ...(endedEarly !== undefined && { endedEarly }),
  };
}

function levelOf({ dialect }: Target, asked: Level): DialectLevel {
  const level = dialect.levels.find((each) => each.level === asked);
  if (level !== undefined) return level;
  throw new UsageError(
    `--level ${asked}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
  );
}

async function factsOf({ dialect, urls }: Target): Promise<ServerFacts> {
  const connection = await dialect.connect(urls[0]!, {});
  try {
    return await dialect.facts(connection);
  } finally {
    await connection.end();
  }
}

function refused(path: string, why: string): RawSpec {
  return { path, refused: why, orders: 0, outcomes: 0, compared: 0, levels: [], notCompared: [], differences: [] };
}

function commandOf({ words }: Target, { path, level, orders }: RawChoice, seed: string): string {
  return [
    `anomalist explore ${shellWord(path)}`,
    words,
    ...(level === undefined ? [] : [`--level ${level}`]),
    ...(orders === 'pruned' ? [] : [`--orders ${orders}`]),
    `--seed ${seed}`,
  ].join(' ');
}
