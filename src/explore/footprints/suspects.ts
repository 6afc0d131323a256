/** The looks that noted down too little, as names that a catalogue's program is found by. */
import type { FootprintLevel } from '../../../reports/index.ts';

export interface Suspect {
  readonly form: string;
  readonly fixture: string;
  readonly item: string;
  /** The changes for which nothing was noted down. */
  readonly changes: readonly string[];
}

/** Returns the suspects of a level. A suspect is where to look first, and no finding. */
export function suspectsOf({ looks }: Pick<FootprintLevel, 'looks'>): readonly Suspect[] {
  return looks
    .filter(({ suspect }) => suspect)
    .map(({ form, fixture, item, dependsOn }) => ({
      form,
      fixture,
      item,
      changes: dependsOn.filter(({ noted }) => !noted).map(({ change }) => change),
    }));
}
