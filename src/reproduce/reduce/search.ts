/**
 * Tries one candidate at a time: it must be well formed and new, the budget must last, and it must still show the
 * anomaly. Lists are shrunk as in delta debugging (Zeller, Hildebrandt 2002): big pieces first, then smaller ones.
 */
import type { TestCase } from '../../../core/index.ts';
import { wellFormed } from './well-formed.ts';

export interface SearchOptions {
  readonly shows: (candidate: TestCase) => Promise<boolean>;
  /** True: the budget is spent, and nothing more is executed. */
  readonly over: () => boolean;
  readonly onProgress?: (current: TestCase, pass: string) => void;
}

/** Yields candidates from the current case, the boldest first. */
export type Edits = (current: TestCase) => Iterable<TestCase>;

export class Search {
  current: TestCase;
  executions = 0;
  /** Number of candidates that were ill-formed or known. */
  skipped = 0;
  pass = '';
  private readonly failed = new Set<string>();
  private readonly options: SearchOptions;

  constructor(start: TestCase, options: SearchOptions) {
    this.current = start;
    this.options = options;
    this.failed.add(key(start));
  }

  get over(): boolean {
    return this.options.over();
  }

  /** Returns true if the candidate shows the anomaly. It is then the current case. */
  async try(candidate: TestCase): Promise<boolean> {
    if (this.over) return false;
    const word = key(candidate);
    if (this.failed.has(word) || !wellFormed(candidate)) {
      this.skipped++;
      return false;
    }
    this.failed.add(word); // The candidate is never tried again: either it fails or it becomes the current case.
    this.executions++;
    if (!(await this.options.shows(candidate))) return false;
    this.current = candidate;
    this.options.onProgress?.(candidate, this.pass);
    return true;
  }

  /** After a success the list is made anew, and the search goes on at the same place. */
  async edits(name: string, edits: Edits): Promise<void> {
    this.pass = name;
    let list = [...edits(this.current)];
    for (let i = 0; i < list.length && !this.over;) {
      if (await this.try(list[i]!)) list = [...edits(this.current)];
      else i++;
    }
  }

  /** `without(from, to)`: the current case without those of its `count` parts. */
  async shrink(
    name: string,
    count: (current: TestCase) => number,
    without: (current: TestCase, from: number, to: number) => TestCase,
  ): Promise<void> {
    this.pass = name;
    for (let size = count(this.current); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < count(this.current) && !this.over;) {
        if (!(await this.try(without(this.current, from, from + size)))) from += size;
      }
    }
  }
}

function key({ schema, sessions, schedule }: TestCase): string {
  return JSON.stringify([schema, sessions, schedule]);
}
