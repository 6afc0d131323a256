/**
 * Statements that repeat are named once in a history file: every level of a run sends the same texts, and they are most
 * of what a line holds. An invocation with a text that is new has it as `sql` and numbers it as `q`, from 0; a later
 * one has only the number:
 *
 *     {"e":"invoke", ..., "sql":"COMMIT", "q":3}        {"e":"invoke", ..., "q":3}
 *
 * A round of another seed forgets all of them, so that writer and reader hold the texts of one test case and no more.
 */
import type { HistoryEvent, InvokeEvent } from './event.ts';

/** An invocation as it stands in a file. */
export type WrittenInvoke = Omit<InvokeEvent, 'sql'> & { readonly sql?: string; readonly q?: number };
export type WrittenEvent = Exclude<HistoryEvent, InvokeEvent> | WrittenInvoke;

/** The side that writes. */
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

/** The side that reads. */
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
