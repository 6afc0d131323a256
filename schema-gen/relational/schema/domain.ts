/**
 * The small domains that all values of a case come from: ten integers, five words, six days. Transactions meet on rows
 * and predicates meet on values only because there are so few of them. Words and the first day come from faker, fed by
 * our own Random. Words are lower case ASCII, so that every usual collation orders them alike.
 */
import { faker as english } from '@faker-js/faker/locale/en';
import type { Faker, LocaleDefinition, Randomizer } from '@faker-js/faker';
import type { ColumnType, Random, TypeKind, Value } from '../../../core/index.ts';

/** Types whose values compare with one another without a cast. */
export type Family = Exclude<TypeKind, 'varchar'>;

export interface Domains {
  /** Returns the column type's values in ascending order. */
  of(type: ColumnType): readonly Value[];
  /**
   * Returns a value outside the small domain, another one for every n. It is undefined for booleans, which have none.
   */
  fresh(type: ColumnType, n: number): Value | undefined;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const WORDS = 5;
const MOMENTS = 6;
/** These values exceed 2^53, so that a driver or a reader that uses a double is detected. */
const WIDE = ['9007199254740993', '9007199254740995'];
const DIGITS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

export function familyOf(type: ColumnType): Family {
  return type.kind === 'varchar' ? 'text' : type.kind;
}

/** `size` is the largest number of values of a type. The first ones are taken. */
export function createDomains(random: Random, size: number): Domains {
  const fake = fakerOf(random);
  const words = wordsOf(fake);
  const start = Math.floor(fake.date.between({ from: Date.UTC(2001, 0, 1), to: Date.UTC(2025, 0, 1) }).getTime() / DAY) * DAY;
  const cents = fake.number.int({ min: 1, max: 9 });
  const moments = Array.from({ length: MOMENTS }, (_, i) => i);
  const tables: Readonly<Record<Exclude<TypeKind, 'decimal'>, readonly Value[]>> = {
    integer: DIGITS,
    bigint: [...DIGITS.slice(0, 8).map(String), ...WIDE],
    text: words,
    varchar: words,
    boolean: [false, true],
    date: moments.map((i) => dateText(start + i * DAY)),
    timestamp: moments.map((i) => timestampText(start + i * HOUR)),
  };
  const all = (type: ColumnType): readonly Value[] =>
    type.kind === 'decimal' ? DIGITS.map((digit) => decimalText(digit, cents, type.scale)) : tables[type.kind];
  return {
    of: (type) => all(type).slice(0, size),
    fresh: (type, n) => {
      if (type.kind === 'boolean') return undefined;
      if (type.kind === 'integer') return n + 10;
      if (type.kind === 'bigint') return String(n + 10);
      if (type.kind === 'decimal') return decimalText(n + 10, 0, type.scale);
      if (type.kind === 'date') return dateText(start + (n + MOMENTS) * DAY);
      if (type.kind === 'timestamp') return timestampText(start + (n + MOMENTS) * HOUR);
      return `x${n}`;
    },
  };
}

/**
 * Makes a faker of our own over the English words. Its class is reached through the locale's instance, as the package's
 * main module would load all of its seventy locales.
 */
function fakerOf(random: Random): Faker {
  const randomizer: Randomizer = { next: () => random.int(0, 0xffff_ffff) / 0x1_0000_0000, seed: () => undefined };
  const Own = english.constructor as new (options: { locale: LocaleDefinition; randomizer: Randomizer }) => Faker;
  return new Own({ locale: english.rawDefinitions, randomizer });
}

function wordsOf(fake: Faker): readonly string[] {
  const words = new Set<string>();
  while (words.size < WORDS) {
    const word = fake.word.noun({ length: { min: 3, max: 6 } });
    if (/^[a-z]{3,6}$/.test(word)) words.add(word);
  }
  return [...words].sort();
}

function decimalText(whole: number, tenths: number, scale: number): string {
  return scale === 0 ? String(whole) : `${whole}.${String(tenths).padEnd(scale, '0')}`;
}

function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function timestampText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
