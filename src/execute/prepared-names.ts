/**
 * The names under which a session has prepared statements. The last few texts keep their names, so that a repeated text
 * is executed without another PREPARE. A name whose statement failed is not used again, because nobody knows whether
 * PREPARE or EXECUTE failed.
 */
import type { Preparing } from '../../core/index.ts';

/** Number of texts that keep their names. */
const KEPT = 8;

export interface PreparedText {
  /**
   * The texts of one round trip. The last reply is the statement's. `sql`: the statement's text, or the same text as the
   * record shows it.
   */
  readonly texts: (sql: string) => readonly string[];
  readonly done: (succeeded: boolean) => void;
}

export class PreparedNames {
  private readonly preparing: Preparing;
  /** Names by text, the least recently used first. */
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
