/** Merges shards of one matrix: each schedule stands in the catalogue's order again. */
import { isDeepStrictEqual } from 'node:util';
import { UsageError, noteKey, shardWord } from '../../../core/index.ts';
import { PHENOMENA, CANONICAL } from '../../../schema-gen/index.ts';
import type { MatrixPhenomenon, MatrixReport } from '../../../reports/index.ts';
import { expectSameOwnSettings } from './own-settings.ts';
import { withoutShard } from './parts.ts';

export function mergedMatrices(reports: readonly MatrixReport[]): MatrixReport {
  const ordered = reports.toSorted((a, b) => (a.shard?.index ?? 0) - (b.shard?.index ?? 0));
  const [first] = ordered;
  if (first === undefined) throw new UsageError('there is no matrix to merge');
  for (const each of ordered) expectAlike(first, each);
  const endedEarly = [...missing(ordered), ...ordered.flatMap(({ endedEarly: why }) => (why === undefined ? [] : [why]))];
  const { tool, target, server, configuration, ownSettings, command } = first;
  return {
    tool,
    target,
    server,
    configuration,
    ...(ownSettings && { ownSettings }),
    command: withoutShard(command),
    startedAt: ordered.map(({ startedAt }) => startedAt).toSorted()[0]!,
    seconds: ordered.reduce((sum, { seconds }) => sum + seconds, 0),
    levels: first.levels.map((level, l) => ({ ...level, inForce: [...new Set(ordered.flatMap((each) => each.levels[l]!.inForce))] })),
    phenomena: phenomenaOf(ordered),
    notes: [...new Map(ordered.flatMap(({ notes }) => notes.map((note) => [noteKey(note), note]))).values()],
    ...(endedEarly.length > 0 && { endedEarly: endedEarly.join('; ') }),
  };
}

function expectAlike(a: MatrixReport, b: MatrixReport): void {
  if (a.tool !== b.tool || a.target !== b.target || a.server !== b.server || !isDeepStrictEqual(a.configuration, b.configuration))
    throw new UsageError(
      `the matrices are of two servers or tools: ${a.tool} on ${a.target} (${a.server}) and ${b.tool} on ${b.target} (${b.server}), or of one that was set otherwise; expected the shards of one matrix.`,
    );
  expectSameOwnSettings(a, b);
  if (!isDeepStrictEqual(namesOf(a), namesOf(b)))
    throw new UsageError(
      `the matrices have levels ${namesOf(a).join(', ')} and ${namesOf(b).join(', ')}; expected the shards of one matrix, with the same --level.`,
    );
  if (a !== b && (a.shard === undefined || b.shard === undefined || a.shard.of !== b.shard.of || a.shard.index === b.shard.index))
    throw new UsageError('the same schedules are in two of the folders; expected the shards of one matrix, each once.');
}

function namesOf({ levels }: MatrixReport): readonly string[] {
  return levels.map(({ level }) => level);
}

function missing(reports: readonly MatrixReport[]): readonly string[] {
  const of = reports[0]?.shard?.of ?? 0;
  const lacking = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !reports.some(({ shard }) => shard?.index === index));
  return lacking.map((index) => `shard ${shardWord({ index, of })} is missing`);
}

function phenomenaOf(reports: readonly MatrixReport[]): readonly MatrixPhenomenon[] {
  const place = new Map(CANONICAL.map(({ name }, i) => [name, i]));
  return PHENOMENA.flatMap(({ phenomenon, title }) => {
    const schedules = reports
      .flatMap(({ phenomena }) => phenomena.filter((each) => each.phenomenon === phenomenon))
      .flatMap((each) => each.schedules)
      .toSorted((a, b) => (place.get(a.name) ?? 0) - (place.get(b.name) ?? 0));
    return schedules.length === 0 ? [] : [{ phenomenon, title, schedules }];
  });
}
