/**
 * The statements that set a level and begin, and the query for the level in force, travel in one round trip. The record
 * holds them as one text. Only this file joins and splits that text.
 */
import { InternalError } from '../base/index.ts';

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
