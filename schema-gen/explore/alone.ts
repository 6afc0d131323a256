/**
 * Runs every form alone, one transaction each, in every fixture where it can stand, for a present item and for an
 * absent one. The result shows that a form does what its row says.
 */
import type { Program } from '../../core/program/index.ts';
import { fits, statementsOf } from './form.ts';
import type { Form } from './form.ts';
import { differentItems } from './item.ts';
import type { Item, ItemName, FixtureRow } from './item.ts';
import { stepOf } from './step.ts';

export interface FormAlone {
  readonly kind: 'reads' | 'writes' | 'changes';
  readonly name: string;
  readonly item: Item;
  /** One of its statements is to fail on a constraint. */
  readonly fails: boolean;
  readonly program: Program;
}

/** The number that no other statement has, by default. */
const OWN = 100;

export function* formsAlone(
  forms: Readonly<Record<FormAlone['kind'], readonly Form[]>>,
  fixtures: readonly FixtureRow[],
  own: number = OWN,
): Generator<FormAlone> {
  const sites = fixtures.flatMap((fixture) => differentItems(fixture).map((name) => ({ fixture, name })));
  let number = 0;
  for (const kind of ['reads', 'writes', 'changes'] as const)
    for (const form of forms[kind])
      for (const site of sites)
        if (fits(form, site.fixture, site.fixture.items[site.name])) yield formAlone(kind, form, { ...site, own }, number++);
}

function formAlone(
  kind: FormAlone['kind'],
  form: Form,
  { fixture, name, own }: { readonly fixture: FixtureRow; readonly name: ItemName; readonly own: number },
  number: number,
): FormAlone {
  const item = fixture.items[name];
  const steps = statementsOf(form, { item, fixture, own }).map((statement) => stepOf(statement, fixture.fixture));
  const made = { [kind]: form.name, world: fixture.fixture.name, item: name };
  const program: Program = {
    number,
    made,
    fixture: fixture.fixture,
    transactions: [{ steps, end: 'commit', ...(kind === 'changes' && { autocommit: true }) }],
  };
  return { kind, name: form.name, item, fails: form.fails === true, program };
}
