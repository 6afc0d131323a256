/**
 * A fixture of the pair matrix with every look and every change that can stand in it. Each is a form at one of the
 * fixture's items: at one that is present and one that is absent of each table. Forms at two items that give the same
 * statements are one.
 */
import type { Statement } from '../../../core/sql/index.ts';
import type { ProgramStep, ProgramTxn } from '../../../core/program/index.ts';
import { fits, number, put, set, at, statementsOf } from '../form.ts';
import type { Form } from '../form.ts';
import { differentItems } from '../item.ts';
import type { FixtureRow, Item, ItemName } from '../item.ts';
import { stepOf } from '../step.ts';
import { readBeside, writeBeside } from './beside.ts';
import type { PairPhenomenon, PairStep } from './phenomena.ts';

export interface PlacedForm {
  readonly form: Form;
  readonly item: ItemName;
  readonly steps: readonly ProgramStep[];
}

/** The numbers of the statements of each session, which the seed decides. */
export type OwnNumbers = readonly [look: number, change: number];
/** A plain statement's number is so far behind that of the form in its session. */
const PLAIN = 10;

export class PairSite {
  readonly row: FixtureRow;
  readonly looks: readonly PlacedForm[];
  readonly changes: readonly PlacedForm[];
  private readonly own: OwnNumbers;
  private readonly transactions = new Map<string, ProgramTxn>();

  constructor(row: FixtureRow, forms: { readonly reads: readonly Form[]; readonly writes: readonly Form[] }, own: OwnNumbers) {
    this.row = row;
    this.own = own;
    this.looks = placed(row, forms.reads, own[0]);
    this.changes = placed(row, forms.writes, own[1]);
  }

  /** Tells whether the phenomenon can be looked for with this look: its row must be there to be written. */
  has({ sessions }: PairPhenomenon, look: number): boolean {
    return this.itemOf(this.looks[look]!).present || !sessions.some(({ steps }) => steps.includes('write looked'));
  }

  /**
   * Returns the transaction of a phenomenon's session, and the same object for the same look, or for the same change.
   * What it does alone is then known from its other pairs.
   */
  transaction(phenomenon: PairPhenomenon, session: number, form: number): ProgramTxn {
    const key = `${phenomenon.name} ${session} ${form}`;
    let transaction = this.transactions.get(key);
    if (transaction === undefined) {
      const { steps, end } = phenomenon.sessions[session]!;
      transaction = { steps: steps.flatMap((step) => this.stepsOf(step, session, form)), end };
      this.transactions.set(key, transaction);
    }
    return transaction;
  }

  /** Returns equal texts for sites of the same tables, rows and statements. */
  key(): string {
    const statementsOf = (all: readonly PlacedForm[]): unknown => all.map(({ steps }) => steps.map(({ statement }) => statement));
    return JSON.stringify([this.row.fixture.tables, statementsOf(this.looks), statementsOf(this.changes)]);
  }

  /** Returns the statements of one step of a phenomenon's session. */
  stepsOf(step: PairStep, session: number, form: number): readonly ProgramStep[] {
    const own = this.own[session]! + PLAIN;
    const statement = (one: Statement): readonly ProgramStep[] => [stepOf(one, this.row.fixture)];
    switch (step) {
      case 'look':
        return this.looks[form]!.steps;
      case 'change':
        return this.changes[form]!.steps;
      case 'read beside':
        return statement(readBeside);
      case 'write beside':
        return statement(writeBeside(own));
      case 'write looked': {
        const item = this.itemOf(this.looks[form]!);
        const site = { item, fixture: this.row, own };
        return statement(item.present ? set(item.table, 'v', number(own), at(site)) : put(site));
      }
      case 'write changed': {
        const item = this.itemOf(this.changes[form]!);
        return statement(set(item.table, 'v', number(own), at({ item, fixture: this.row, own })));
      }
      case 'save':
        return statement({ kind: 'savepoint', name: 'before' });
      case 'back':
        return statement({ kind: 'rollbackTo', name: 'before' });
    }
  }

  private itemOf({ item }: PlacedForm): Item {
    return this.row.items[item];
  }
}

function placed(row: FixtureRow, forms: readonly Form[], own: number): readonly PlacedForm[] {
  const all = new Map<string, PlacedForm>();
  for (const form of forms)
    for (const item of differentItems(row)) {
      if (!fits(form, row, row.items[item])) continue;
      const statements = statementsOf(form, { item: row.items[item], fixture: row, own });
      const key = JSON.stringify(statements);
      if (!all.has(key)) all.set(key, { form, item, steps: statements.map((statement) => stepOf(statement, row.fixture)) });
    }
  return [...all.values()];
}
