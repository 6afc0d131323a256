/**
 * Draws programs towards a few forms: narrow ones of these alone (and of statements that keep rows coming and going),
 * on one table if possible. The run's coverage chooses the forms, so they are a part of the seed's text:
 *
 *     7/12                                      round 12 of seed 7, drawn from the seed alone
 *     7/13 towards upsert-nothing,delete,group
 *
 * The same text gives the same program, byte for byte, whatever the coverage was.
 */
import type { Random } from '../../core/index.ts';
import { FORMS, formsDrawn, type Form } from './forms.ts';
import type { GenerateOptions, StatementForm } from './options.ts';
import { narrowOptions } from './swarm.ts';

/** A dependency leads from a statement of the first form to one of the second. */
export type FormPair = readonly [Form, Form];

/** Returns the pairs between which a dependency can exist: two reads have none. */
export function formPairs(options: GenerateOptions): readonly FormPair[] {
  const forms = formsDrawn(options);
  return forms.flatMap((from) => forms.flatMap((to): FormPair[] => (FORMS[from].writes || FORMS[to].writes ? [[from, to]] : [])));
}

const TOWARDS = ' towards ';

export function seedTowards(seed: string, forms: readonly Form[]): string {
  return `${seed}${TOWARDS}${forms.join(',')}`;
}

/** Returns undefined for a seed without forms. */
export function towardsOf(seed: string): readonly Form[] | undefined {
  const at = seed.lastIndexOf(TOWARDS);
  return at < 0 ? undefined : readForms(seed.slice(at + TOWARDS.length));
}

/** Reads `upsert-nothing,delete`. Returns undefined if these are not forms, or none of them writes. */
export function readForms(text: string): readonly Form[] | undefined {
  const forms = text.split(',');
  return forms.every(isForm) && forms.some((form) => FORMS[form].writes) ? forms : undefined;
}

/** Returns the options of one program. `options` are those of the whole run. */
export function towardsOptions(random: Random, options: GenerateOptions, forms: readonly Form[]): GenerateOptions {
  const rows = forms.map((form) => FORMS[form]);
  const few = {
    ...options,
    sessions: { min: options.sessions.min, max: Math.min(Math.max(options.sessions.min, 5), options.sessions.max) },
  };
  const narrow = narrowOptions(random, few, withUpkeep([...new Set(rows.map(({ drawnBy }) => drawnBy))]));
  const asked = rows.reduce<Partial<GenerateOptions>>((sum, row) => ({ ...sum, ...row.asks?.(options) }), { maxTable: 1 });
  const shared = (drawnBy: StatementForm): number => rows.filter((row) => row.drawnBy === drawnBy).length;
  return {
    ...narrow,
    ...asked,
    // Two forms that one weight draws have twice its share.
    statements: {
      ...narrow.statements,
      ...Object.fromEntries(rows.map(({ drawnBy }) => [drawnBy, Math.max(narrow.statements[drawnBy], shared(drawnBy))])),
    },
    conflicts: only(
      options.conflicts,
      rows.flatMap(({ conflicts = [] }) => conflicts),
    ),
    locks: only(
      narrow.locks,
      rows.flatMap(({ locks = [] }) => locks),
    ),
  };
}

/** Adds inserts to forms that only delete, because otherwise no rows would be left to meet at. */
function withUpkeep(forms: readonly StatementForm[]): readonly StatementForm[] {
  const takes = forms.some((form) => form === 'delete' || form === 'deleteUsing' || form === 'parent');
  return takes && !forms.includes('upsert') ? [...forms, 'insert'] : forms;
}

/** Returns these weights alone, all equal. If none is named, the weights stay as they are. */
function only<K extends string>(weights: Readonly<Record<K, number>>, names: readonly K[]): Readonly<Record<K, number>> {
  if (names.length === 0) return weights;
  return Object.fromEntries(
    (Object.keys(weights) as K[]).map((name) => [name, names.includes(name) && weights[name] > 0 ? 1 : 0]),
  ) as Readonly<Record<K, number>>;
}

function isForm(word: string): word is Form {
  return Object.hasOwn(FORMS, word);
}
