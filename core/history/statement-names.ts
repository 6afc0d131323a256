/**
 * Names for statements that repeat in a history file. Every level of a run sends the same texts, and they take most of
 * a line. The first invocation of a text has it as `sql` and its number as `q`, from 0. A later one has only the
 * number:
 *
 *     {"e":"invoke", ..., "sql":"COMMIT", "q":3}        {"e":"invoke", ..., "q":3}
 *
 * A round of another seed clears all names, so that writer and reader hold only the texts of one test case.
 */
import type { HistoryEvent, InvokeEvent } from './event.ts';

/** An invocation as the file holds it. */
export type WrittenInvoke = Omit<InvokeEvent, 'sql'> & { readonly sql?: string; readonly q?: number };
export type WrittenEvent = Exclude<HistoryEvent, InvokeEvent> | WrittenInvoke;

/** Replaces repeated texts by their numbers, for writing. */
export class StatementNames {
  private seed: string | undefined;
  private readonly numbers = new Map<string, number>();

  written(event: HistoryEvent): WrittenEvent {
    if (event.e === 'round' && event.seed !== this.seed) {
      this.seed = event.seed;
      this.numbers.clear();
    }
    if (event.e !== 'invoke') return event;
    const known = this.numbers.get(event.sql);
    if (known === undefined) {
      const q = this.numbers.size;
      this.numbers.set(event.sql, q);
      return { ...event, q };
    }
    const { sql: _, ...rest } = event;
    return { ...rest, q: known };
  }
}

/** Why a line cannot be read. */
export interface NameProblem {
  readonly got: string;
  readonly expected: string;
}

/** Replaces the numbers by their texts, for reading. */
export class StatementTexts {
  private seed: string | undefined;
  private texts: string[] = [];

  read(event: WrittenEvent): { readonly event: HistoryEvent; readonly problem?: undefined } | { readonly problem: NameProblem } {
    if (event.e === 'round' && event.seed !== this.seed) {
      this.seed = event.seed;
      this.texts = [];
    }
    if (event.e !== 'invoke') return { event };
    const { q, sql = q === undefined ? undefined : this.texts[q], ...rest } = event;
    if (sql === undefined) {
      const got = q === undefined ? 'an invoke event without "sql"' : `"q": ${q}, a statement that no line before it names`;
      return { problem: { got, expected: 'a text as "sql", or as "q" the number that such a line of this test case has' } };
    }
    if (q !== undefined && event.sql !== undefined && q !== this.texts.push(sql) - 1) {
      return {
        problem: { got: `"q": ${q} for a new statement`, expected: `${this.texts.length - 1}: they are numbered from 0, in order` },
      };
    }
    return { event: { ...rest, sql } };
  }
}
