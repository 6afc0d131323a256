/**
 * Which programs the comparison runs: every rule unbroken, every breakage under rules where its effect can be read.
 * ANOMALIST_PROGRAMS sets how many there are in all, and so many are run; without it, as many of them as there is time for.
 */
import { PLAIN_SHAPES, WIDE_SHAPES, optionsFor } from '../../schema-gen/index.ts';
import type { GivenOptions } from '../../schema-gen/index.ts';
import { MODEL_CAPABILITIES } from './capabilities.ts';
import type { Program } from './compare.ts';
import { BREAKAGES, RULES } from './rules.ts';
import type { Breakage, Rule } from './rules.ts';

const ASKED = process.env['ANOMALIST_PROGRAMS'];
const PROGRAMS: number = Number(ASKED ?? 10_000);

/** Unbroken and broken ones, per rule and per breakage. */
const SHARES = { rule: 0.15, breakage: 0.08 };

interface Recipe {
  readonly rules: readonly Rule[];
  readonly chance: number;
  readonly options: GivenOptions;
}

const READS_AND_UPDATES: GivenOptions = {
  statements: { ...PLAIN_SHAPES.statements, select: 40, unionAll: 4, insert: 4, update: 48, delete: 4 },
  targets: { point: 3, range: 4, any: 4, all: 6 },
  maxTable: 2,
};

/** What makes the effect of a breakage likely to be read. */
const RECIPES: Readonly<Record<Breakage, Recipe>> = {
  'lost write': { rules: RULES, chance: 0.3, options: {} },
  'stale read': { rules: RULES, chance: 0.5, options: READS_AND_UPDATES },
  'dirty read': {
    rules: ['read-committed', 'snapshot', 'serializable'],
    chance: 0.9,
    options: { ...READS_AND_UPDATES, rollbackShare: 0.4, savepointShare: 0.5 },
  },
  'fractured snapshot': { rules: RULES, chance: 0.5, options: READS_AND_UPDATES },
  'intermediate read': { rules: RULES, chance: 0.9, options: READS_AND_UPDATES },
};

export function programsOfRule(rule: Rule): readonly Program[] {
  return Array.from({ length: Math.ceil(PROGRAMS * SHARES.rule) }, (_, i) => ({ seed: `${rule} ${i}`, rule }));
}

/** In the paper's mode, a sixth of the above: blind spots leave little to be owed, but nothing untrue may be drawn. */
export function programsInPaperMode(rule: Rule): readonly Program[] {
  return Array.from({ length: Math.ceil((PROGRAMS * SHARES.rule) / 6) }, (_, i) => ({ seed: `paper ${rule} ${i}`, rule, mode: 'paper' }));
}

export function programsOfBreakage(how: Breakage): readonly Program[] {
  const { rules, chance, options } = RECIPES[how];
  return Array.from({ length: Math.ceil(PROGRAMS * SHARES.breakage) }, (_, i) => ({
    seed: `${how} ${i}`,
    rule: rules[i % rules.length]!,
    broken: { how, chance },
    options,
  }));
}

/** Keys that are met: upserts of rows that are there already, foreign keys, and rows that come, go and get other keys. */
const KEYS: GivenOptions = {
  statements: { ...PLAIN_SHAPES.statements, select: 12, unionAll: 0, insert: 15, update: 10, delete: 14, upsert: 40, parent: 9 },
  conflicts: { update: 0.5, updateWhere: 2, nothing: 3 },
  deleteTargets: { point: 8, range: 0.5, any: 1, all: 0.5, new: 2 },
  foreignKeyShare: 1,
  smallKeyShare: 0.8,
  keyUpdateShare: 0.2,
  multiRowShare: 0.15,
};

/** Of every rule; a fourth with writes lost, under which keys are met that an honest database had freed or taken. */
export function programsOfKeys(rule: Rule): readonly Program[] {
  const count = Math.ceil((PROGRAMS * SHARES.rule) / 2);
  return Array.from({ length: count }, (_, i): Program => {
    const seed = `keys ${rule} ${i}`;
    if (i % 4 !== 3) return { seed, rule, options: KEYS };
    return { seed, rule, options: { ...KEYS, foreignKeyShare: 0 }, broken: { how: 'lost write', chance: 0.3 } };
  });
}

/** What few DBMSs have, and what the defaults are without, more often than a run draws it. */
const FORMS: GivenOptions = {
  ...optionsFor(MODEL_CAPABILITIES, { ...WIDE_SHAPES, statements: { ...WIDE_SHAPES.statements, merge: 14, withWrites: 12 } }),
  uniqueShare: 0.4,
  failureShare: 0.3,
  generatedShare: 0.6,
  locks: { none: 2, update: 1, share: 1, 'no key update': 2, 'key share': 2 },
  keyUpdateShare: 0.2,
};

export function programsOfForms(rule: Rule): readonly Program[] {
  const count = Math.ceil((PROGRAMS * SHARES.rule) / 4);
  return Array.from({ length: count }, (_, i) => ({ seed: `forms ${rule} ${i}`, rule, options: FORMS }));
}

/** Programs from which on the thresholds hold. */
const ENOUGH = RULES.length * 500 + BREAKAGES.length * 100;

/** Thresholds hold for a run of full length; a short one only has to be free of problems. */
export const FULL_LENGTH: boolean = PROGRAMS >= ENOUGH;

/** Of a test's programs, the part that is run whatever the time. */
export const LEAST_SHARE: number = ASKED === undefined ? ENOUGH / PROGRAMS : 1;
