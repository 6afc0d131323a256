/**
 * Runs the same fixtures, programs and orders on several servers: releases of one DBMS, one release with different
 * settings, or members of one family. Forms that some of them lack are skipped, so that all run the same.
 */
import { randomBytes } from 'node:crypto';
import { judge } from '../../check/index.ts';
import { UsageError } from '../../core/index.ts';
import type { Capabilities, Dialect, Level, Random } from '../../core/index.ts';
import type { ComparedTarget } from '../../reports/index.ts';
import { Catalogue, lackingOn } from '../../schema-gen/index.ts';
import { allowedOn } from '../explore/allowed.ts';
import { commonCapabilities } from './common-capabilities.ts';
import { compareLevel } from './compare-level.ts';
import type { LevelCompared } from './compare-level.ts';
import type { JudgedSide } from './lines.ts';
import { plannedOrders } from './planned-orders.ts';
import type { PlannedProgram } from './record.ts';

/** A server with its facts. */
export interface ComparedServer extends ComparedTarget {
  /** The dialect with the capabilities of its release. */
  readonly dialect: Dialect;
  readonly url: string;
}

export interface CompareChoice {
  readonly seed: string;
  readonly levels: readonly Level[];
  /** The number of the catalogue's programs, or the number of the only one. */
  readonly programs: number;
  readonly program?: number | undefined;
  /** Most orders of each program. */
  readonly orders: number;
  readonly only?: readonly string[] | undefined;
  readonly workers: number;
}

export interface CompareHooks {
  readonly random: (seed: string) => Random;
  readonly signal: AbortSignal;
  readonly command: (level: Level, program: number) => string;
  readonly heard: (words: readonly string[]) => void;
}

export async function compareServers(
  servers: readonly ComparedServer[],
  choice: CompareChoice,
  hooks: CompareHooks,
): Promise<{ readonly levels: readonly LevelCompared[]; readonly lacking: readonly string[] }> {
  const ours = `anomalist_compare_${randomBytes(3).toString('hex')}`;
  const levels: LevelCompared[] = [];
  const { plan, lacking } = planOf(await commonOf(servers), servers, choice, hooks);
  for (const [l, level] of choice.levels.entries()) {
    if (hooks.signal.aborted) break;
    levels.push(
      await compareLevel({
        sides: servers.map((server, s) => sideOf(server, level, `${ours}_${l}_${s}`, hooks.signal)),
        plan,
        workers: choice.workers,
        command: (program) => hooks.command(level, program),
        heard: hooks.heard,
      }),
    );
  }
  return { levels, lacking };
}

async function commonOf(servers: readonly ComparedServer[]): Promise<Capabilities> {
  const all: Capabilities[] = [];
  for (const { dialect, url } of servers) all.push((await allowedOn(dialect, url, dialect.capabilities)).capabilities);
  return commonCapabilities(all);
}

/** The plan is made once, so that each level has the same programs and orders. */
function planOf(
  capabilities: Capabilities,
  servers: readonly ComparedServer[],
  { seed, programs, program: number, orders, only }: CompareChoice,
  { random }: Pick<CompareHooks, 'random'>,
): { readonly plan: readonly PlannedProgram[]; readonly lacking: readonly string[] } {
  const catalogue = new Catalogue(random(seed).fork('programs'), {
    capabilities,
    canForceIndexes: servers.every(({ dialect }) => dialect.indexPlans !== undefined),
    ...(only && { only }),
  });
  const drawn = random(seed).fork('orders');
  const plan: PlannedProgram[] = [];
  for (let program = catalogue.next(); program !== undefined; program = catalogue.next()) {
    if (number === undefined || program.number === number)
      plan.push({ program, orders: plannedOrders(program, orders, drawn.fork(String(program.number))) });
    if (number === undefined ? plan.length >= programs : program.number >= number) break;
  }
  if (plan.length === 0)
    throw new UsageError(`--program ${number}: the catalogue of this seed has no such program; expected a smaller number.`);
  return { plan, lacking: lackingIn(catalogue, servers) };
}

/** Returns the forms that some of them have but not all. */
function lackingIn(catalogue: Catalogue, servers: readonly ComparedServer[]): readonly string[] {
  const kinds = [...new Map(servers.map(({ dialect }) => [JSON.stringify(dialect.capabilities), dialect])).values()];
  const lacking = kinds.map(({ capabilities, indexPlans }) => lackingOn({ capabilities, canForceIndexes: indexPlans !== undefined }));
  return catalogue.lacking.filter((form) => lacking.some((own) => !own.includes(form)));
}

export function sideOf(
  { dialect, url, configuration, name }: ComparedServer,
  level: Level,
  namespace: string,
  signal: AbortSignal,
): JudgedSide {
  const own = dialect.levels.find((each) => each.level === level);
  if (own === undefined)
    throw new UsageError(
      `--level ${level}: ${name} (${dialect.title}) has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
    );
  return {
    dialect,
    url,
    level: own,
    namespace,
    signal,
    documents: {
      judge: (anomaly) => judge(anomaly, level, configuration, dialect.promises, dialect),
      errors: (dialect.allowedErrors ?? []).filter(({ levels }) => levels.includes(level)),
    },
  };
}
