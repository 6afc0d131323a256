/** Of MERGE, which row of the table meets which of the source, and those of either side that meet none. */
import type { MergeBranch } from '../../core/sql/index.ts';
import type { Frame } from './frame.ts';
import type { LiveVersion } from './store.ts';

export interface MergePair {
  readonly when: MergeBranch['when'];
  /** Absent: `not matched`. */
  readonly base?: LiveVersion;
  /** The table's row first; where there is none, its columns are NULL. */
  readonly frame: Frame;
}

export function mergePairs(
  rows: Iterable<LiveVersion>,
  source: readonly Frame[],
  meets: (frame: Frame) => boolean,
  width: number,
): readonly MergePair[] {
  const all = [...rows];
  const none = Array.from({ length: width }, () => null);
  const matched = source.flatMap((row) =>
    all.flatMap((base): readonly MergePair[] => {
      const frame = [base.values, ...row];
      return meets(frame) ? [{ when: 'matched', base, frame }] : [];
    }),
  );
  return [
    ...matched,
    ...source
      .filter((row) => !all.some((base) => meets([base.values, ...row])))
      .map((row): MergePair => ({ when: 'not matched', frame: [none, ...row] })),
    ...all
      .filter((base) => !matched.some((pair) => pair.base === base))
      .map((base): MergePair => ({ when: 'not matched by source', base, frame: [base.values] })),
  ];
}
