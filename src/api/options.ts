/** Checks the options of a call before anything is started, because the caller may be written in JavaScript. */
import { UsageError } from '../../core/base/index.ts';
import { LEVELS, isLevel } from '../../core/level/index.ts';

export interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const isNatural = (value: unknown, from: number): boolean => Number.isSafeInteger(value) && (value as number) >= from;
const listOf = (holds: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(holds);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

export const NATURAL: Rule = { expected: 'a whole number from 0', holds: (value) => isNatural(value, 0) };
export const POSITIVE: Rule = { expected: 'a whole number from 1', holds: (value) => isNatural(value, 1) };
export const FLAG: Rule = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
export const TEXTS: Rule = { expected: 'a list of texts, at least one', holds: listOf(isText) };
export const PRINTS: Rule = { expected: 'a list of fingerprints', holds: (value) => Array.isArray(value) && value.every(isText) };
export const LEVEL_NAMES: Rule = {
  expected: `a list of levels, at least one, of ${LEVELS.map(({ level }) => level).join(', ')}`,
  holds: listOf((value) => typeof value === 'string' && isLevel(value)),
};

export function oneOf(...words: readonly string[]): Rule {
  return { expected: words.join(', '), holds: (value) => words.includes(value as string) };
}

const CALL: Readonly<Record<string, Rule>> = {
  signal: { expected: 'an AbortSignal', holds: (value) => value instanceof AbortSignal },
  onProgress: { expected: 'a function', holds: (value) => typeof value === 'function' },
};

/** Throws UsageError for an unknown option and for a wrong value. An undefined option counts as not given. */
export function expectOptions(name: string, options: object, rules: Readonly<Record<string, Rule>>): void {
  const all = { ...CALL, ...rules };
  for (const [option, value] of Object.entries(options)) {
    const rule = Object.hasOwn(all, option) ? all[option] : undefined;
    if (rule === undefined)
      throw new UsageError(`${name}, options.${option}: there is no such option; expected some of ${Object.keys(all).join(', ')}.`);
    if (value !== undefined && !rule.holds(value))
      throw new UsageError(`${name}, options.${option}: got ${shown(value)}; expected ${rule.expected}.`);
  }
}

export function shown(value: unknown): string {
  return typeof value === 'bigint' || typeof value === 'function' || typeof value === 'number'
    ? String(value)
    : (JSON.stringify(value) ?? 'undefined');
}
