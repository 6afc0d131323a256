/**
 * What sets a level and begins, and the question for the level in force, go in one round trip and are one text in the
 * record. That text is made and taken apart here alone.
 */
import { InternalError } from './errors.ts';

const BETWEEN = ';';

export function beginText(parts: readonly string[]): string {
  const wrong = parts.find((part) => part.includes(BETWEEN));
  if (wrong !== undefined)
    throw new InternalError(`a part of BEGIN has a semicolon of its own, by which the record is taken apart again: ${wrong}`);
  return parts.join(`${BETWEEN} `);
}

export function beginParts(text: string): readonly string[] {
  return text
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
