/**
 * Window functions over the rows of a result. An aggregate with an ORDER BY has the default frame: from the start of the
 * partition to the last row that the order does not tell from the current one.
 */
import type { Expression, RankName, Window } from '../../core/sql/index.ts';
import type { Evaluator, Frame } from './frame.ts';
import { compareNullsLast, keyOf, number } from './values.ts';
import type { SqlValue } from './values.ts';

export function windowValue(
  window: Window,
  of: RankName | ((frames: readonly Frame[]) => SqlValue),
  compile: (expression: Expression) => Evaluator,
): Evaluator {
  const partition = window.partitionBy.map(compile);
  const order = window.orderBy.map(({ expression, descending }) => ({ key: compile(expression), sign: descending ? -1 : 1 }));
  let known: readonly Frame[] | undefined;
  let values: SqlValue[] = [];
  return (frame) => {
    if (known !== frame.beside) {
      known = frame.beside!;
      values = evaluated(known);
    }
    return values[frame.place!]!;
  };

  function evaluated(frames: readonly Frame[]): SqlValue[] {
    const result: SqlValue[] = Array.from({ length: frames.length }, () => null);
    const partitions = new Map<string, number[]>();
    for (const [i, frame] of frames.entries()) {
      const key = keyOf(partition.map((each) => each(frame)));
      const members = partitions.get(key);
      if (members) members.push(i);
      else partitions.set(key, [i]);
    }
    for (const members of partitions.values()) {
      const keys = new Map(members.map((i) => [i, order.map(({ key }) => key(frames[i]!))]));
      const compare = (i: number, j: number): number => {
        for (const [k, { sign }] of order.entries()) {
          const difference = compareNullsLast(keys.get(i)![k]!, keys.get(j)![k]!);
          if (difference !== 0) return sign * difference;
        }
        return 0;
      };
      const sorted = members.toSorted(compare);
      for (const [before, i] of sorted.entries()) {
        if (of === 'row_number') result[i] = number('bigint', BigInt(before + 1), 0);
        else if (of === 'rank') result[i] = number('bigint', BigInt(sorted.findIndex((j) => compare(i, j) === 0) + 1), 0);
        else result[i] = of(sorted.slice(0, sorted.findLastIndex((j) => compare(i, j) === 0) + 1).map((j) => frames[j]!));
      }
    }
    return result;
  }
}
