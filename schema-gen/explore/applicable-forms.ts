/**
 * Tells which forms can stand at the places of a skeleton in one fixture. Skeletons, begin modes and protocols ask for
 * the same few places again and again. Each answer is computed once, and the same question gets the same array.
 */
import { fits, statementsOf } from './form.ts';
import type { Form } from './form.ts';
import type { ItemName, FixtureRow } from './item.ts';
import { stepOf } from './step.ts';

/** The form of a place where a skeleton has nothing to do. */
export const IDLE: Form = { name: '-', make: () => [] };
export const NOTHING: readonly Form[] = [IDLE];

export interface Forms {
  readonly reads: readonly Form[];
  readonly writes: readonly Form[];
  readonly changes: readonly Form[];
}

export interface Place {
  readonly item: ItemName;
  /** One statement is the whole transaction. */
  readonly autocommit: boolean;
  /** The transaction may only read. */
  readonly plain: boolean;
}

export class ApplicableForms {
  private readonly fixture: FixtureRow;
  private readonly forms: Forms;
  private readonly able = new Map<string, readonly Form[]>();
  private readonly pairs = new Map<readonly Form[], Map<readonly Form[], readonly Form[]>>();
  private readonly names = new Map<readonly Form[], ReadonlySet<string>>();

  constructor(fixture: FixtureRow, forms: Forms) {
    this.fixture = fixture;
    this.forms = forms;
  }

  /** Returns the forms that can stand at every one of the places. */
  at(kind: keyof Forms, places: readonly Place[]): readonly Form[] {
    const keys = new Map(places.map((place) => [`${place.item} ${place.autocommit} ${place.plain}`, place]));
    return known(this.able, `${kind}: ${[...keys.keys()].toSorted().join(', ')}`, () => {
      const each = [...keys].map(([key, place]) =>
        known(this.able, `${kind}, one: ${key}`, () => this.forms[kind].filter((form) => this.canApply(form, place))),
      );
      return this.forms[kind].filter((form) => each.every((able) => able.includes(form)));
    });
  }

  /** Returns the forms of the first list that can stand at both. If `two` has nothing to do, these are all. */
  alike(one: readonly Form[], two: readonly Form[]): readonly Form[] {
    if (two.includes(IDLE)) return one;
    const pairs = known(this.pairs, one, () => new Map<readonly Form[], readonly Form[]>());
    return known(pairs, two, () => one.filter((form) => two.includes(form)));
  }

  namesOf(forms: readonly Form[]): ReadonlySet<string> {
    return known(this.names, forms, () => new Set(forms.filter((form) => form !== IDLE).map(({ name }) => name)));
  }

  private canApply(form: Form, { item: name, autocommit, plain }: Place): boolean {
    const { fixture } = this;
    const item = fixture.items[name];
    if (!fits(form, fixture, item)) return false;
    if (!autocommit && !plain) return true;
    const statements = statementsOf(form, { item, fixture, own: 0 });
    return !(autocommit && statements.length > 1) && !(plain && statements.some((each) => !stepOf(each, fixture.fixture).plainRead));
  }
}

function known<K, V>(answers: Map<K, V>, question: K, find: () => V): V {
  const before = answers.get(question);
  if (before !== undefined) return before;
  const found = find();
  answers.set(question, found);
  return found;
}
