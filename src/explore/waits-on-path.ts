/**
 * Remembers after which steps of a program a session waited. An enumeration takes each path many times, and a server
 * mostly repeats itself, so the memory says when to ask who waits. It never says that a session waits.
 */
import type { Expected } from '../execute/index.ts';

export class WaitsOnPath {
  private readonly known = new Map<string, Expected>();
  private path = '';

  beginRun(): void {
    this.path = '';
  }

  /** Adds a step to the run, and returns what followed it the last time. */
  step(session: number): Expected | undefined {
    this.path += `${session} `;
    return this.known.get(this.path);
  }

  /** Keeps what followed the step. */
  followed(by: Expected): void {
    this.known.set(this.path, by);
  }
}
