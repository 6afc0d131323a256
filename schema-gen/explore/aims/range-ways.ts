/** Ways to meet in a range: a row that one transaction writes matches another one's <, > or BETWEEN. */
import type { BoundStatement } from '../../workload-file/instantiate.ts';
import { namesIn } from './names-in.ts';
import { askedOf, fulfils, touches, withoutRanges, writesIn } from './ranges.ts';
import type { Asked } from './ranges.ts';
import type { Reach } from './reach.ts';
import { declaredIn, statementsIn } from './joint-reads.ts';
import type { Session, JointReads } from './joint-reads.ts';
import type { Meeting, Part, RangeMeeting, Way } from './way.ts';

export function rangeWaysOf(joint: JointReads): readonly Way[] {
  const all = new Map<string, Way>();
  const sessions = [...joint.sessions.keys()];
  const pairs = sessions.flatMap((asking) => sessions.flatMap((writing) => (asking === writing ? [] : [[asking, writing] as const])));
  for (const way of pairs.flatMap(([asking, writing]) => waysBetween(joint, asking, writing)))
    if (!all.has(way.words)) all.set(way.words, way);
  return [...all.values()];
}

function waysBetween(joint: JointReads, asking: number, writing: number): readonly Way[] {
  const [asker, writer] = [joint.sessions[asking]!, joint.sessions[writing]!];
  const writes = statementsIn(writer.template.steps).flatMap(writesIn);
  return statementsIn(asker.template.steps)
    .flatMap(askedOf)
    .flatMap((asked): readonly Way[] => {
      const own = writes.filter((write) => touches(write, asked));
      const asks = basesOf(asker, asked.names).map((parameter): Part => ({ session: asking, parameter }));
      if (own.length === 0 || asks.length === 0) return [];
      const names = own.flatMap((write) =>
        write.kind === 'insert'
          ? namesIn(write.rows.flatMap((row) => row.filter((_, place) => asked.columns.includes(write.columns[place] ?? ''))))
          : write.kind === 'update'
            ? namesIn(write.set.flatMap(({ column, value }) => (asked.columns.includes(column) ? [value] : [])))
            : [],
      );
      const parts = [...asks, ...basesOf(writer, names).map((parameter): Part => ({ session: writing, parameter }))];
      const { table, columns } = asked;
      return [
        {
          words: `a row of ${table} that ${writer.template.name} writes, in the range of ${columns.join(' and ')} that ${asker.template.name} asks for (${asked.names.map((name) => `:${name}`).join(', ')})`,
          meetings: sameBy(joint, asking, writing, asked),
          range: { asking, writing, table, columns, parts },
        },
      ];
    });
}

/** Returns the parameters that are drawn. For `:to :from + 1..3 hours` this is `:from`. */
function basesOf({ template }: Session, names: readonly string[]): readonly string[] {
  const declared = new Map(declaredIn(template.steps).map((each) => [each.name, each]));
  const baseOf = (name: string): string => {
    const behind = declared.get(name)?.behind;
    return behind === undefined ? name : baseOf(behind);
  };
  return [...new Set(names.map(baseOf))].filter((name) => declared.get(name)?.domain !== undefined);
}

/**
 * Columns that the asking statement makes equal to a parameter have the same value in both transactions, if both have a
 * parameter for it.
 */
function sameBy(joint: JointReads, asking: number, writing: number, { table, conditions }: Asked): readonly Meeting[] {
  const equal = conditions.flatMap((each) =>
    each.kind === 'compare' && each.op === '='
      ? [each.left, each.right].flatMap((side) => (side.kind === 'column' ? [side.column] : []))
      : [],
  );
  const links = joint.links.get(table)!.filter(({ column }) => equal.includes(column));
  return links.flatMap(({ class: at }) => {
    const parts = [asking, writing].flatMap((session): readonly Part[] => {
      const own = joint.sessions[session]!.parameters.find((each) => each.class === at);
      return own === undefined ? [] : [{ session, parameter: own.name }];
    });
    return parts.length < 2 ? [] : [{ at, parts, apart: false }];
  });
}

/** Tests statements with their values, by session. */
export function meetInRange(
  { asking, writing, table, columns, besides }: RangeMeeting,
  statements: readonly (readonly BoundStatement[])[],
  { schema }: JointReads,
  reach: Reach,
): boolean {
  const asked = statements[asking]!.flatMap(({ statement }) => askedOf(statement))
    .filter((each) => each.table === table && each.columns.join() === columns.join())
    .map((each) => (besides ? withoutRanges(each) : each));
  const writes = statements[writing]!.flatMap(({ statement }) => writesIn(statement));
  return asked.some((each) => writes.some((write) => touches(write, each) && fulfils(write, each, schema, reach)));
}
