/** The settings of a server that Anomalist started, which must be the same in every merged report. */
import { UsageError } from '../../../core/index.ts';
import type { OwnSetting } from '../../../core/index.ts';

interface Started {
  readonly target: string;
  /** Absent: Anomalist did not start the server, or an older version wrote the report. */
  readonly ownSettings?: readonly OwnSetting[];
}

export function expectSameOwnSettings({ target, ownSettings: one }: Started, { ownSettings: other }: Started): void {
  if (one === undefined || other === undefined) return;
  const valueIn = (settings: readonly OwnSetting[], name: string): string =>
    settings.find((each) => each.name === name)?.value ?? "the vendor's";
  const names = [...new Set([...one, ...other].map(({ name }) => name))];
  const differing = names.filter((name) => valueIn(one, name) !== valueIn(other, name));
  if (differing.length === 0) return;
  const words = differing.map((name) => `${name} is ${valueIn(one, name)} in one of the folders and ${valueIn(other, name)} in another`);
  throw new UsageError(`${target}: ${words.join(', ')}; expected the same settings: merge the folders of each by themselves.`);
}
