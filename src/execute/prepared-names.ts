/**
 * The names under which a session has prepared statements. Of its last texts each keeps its name, so that one that comes again
 * is executed without being prepared again. A name whose statement failed is left: nobody knows which of the two it was.
 */
import type { Preparing } from '../../core/index.ts';

/** Texts that keep their names. */
const KEPT = 8;

export interface PreparedText {
  /** What goes in one round trip; the reply to the last one is the statement's. `sql`: the text, or the same as it is shown. */
  readonly texts: (sql: string) => readonly string[];
  readonly done: (succeeded: boolean) => void;
}

export class PreparedNames {
  private readonly preparing: Preparing;
  /** By text, the one used longest ago first. */
  private readonly names = new Map<string, string>();
  private made = 0;

  constructor(preparing: Preparing) {
    this.preparing = preparing;
  }

  of(text: string): PreparedText {
    const { preparing, names } = this;
    const known = names.get(text);
    const name = known ?? `iso_${this.made++}`;
    const first = name === 'iso_0' && known === undefined;
    const oldest = known === undefined && names.size >= KEPT ? names.entries().next().value : undefined;
    const behind = [
      ...(first && preparing.clear !== undefined ? [preparing.clear] : []),
      ...(oldest === undefined ? [] : [preparing.giveUp(oldest[1])]),
    ];
    return {
      texts: (sql) => [...behind, ...(known === undefined ? [preparing.prepare(name, sql)] : []), preparing.execute(name)],
      done: (succeeded) => {
        if (oldest !== undefined) names.delete(oldest[0]);
        names.delete(text);
        if (succeeded) names.set(text, name);
      },
    };
  }
}
