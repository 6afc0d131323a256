/** Refuses text that no supported DBMS can hold, or would silently change, wherever text becomes part of a statement. */
import { UsageError } from '../../core/base/index.ts';

export function refuseUnprintable(text: string, what: string, why: string): void {
  const bad = text.includes('\0') ? 'a NUL character' : /\p{Surrogate}/u.test(text) ? 'a lone surrogate' : undefined;
  if (bad !== undefined) throw new UsageError(`${what} ${JSON.stringify(text)} holds ${bad}, which ${why}: take it out`);
}
