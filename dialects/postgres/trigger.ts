/** A table's trigger as a function, and the CREATE TRIGGER that calls it. Both are created after all rows were inserted. */
import { LIST_COLUMN, LIST_WINDOW } from '../../core/history/index.ts';
import type { Table, Trigger } from '../../core/sql/index.ts';
import type { SetupStatement } from '../../core/dialect/index.ts';
import { PRINTER } from './expression.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

interface Words {
  readonly when: string;
  readonly body: string;
}

type Deed<D extends Trigger['does']> = (
  trigger: Extract<Trigger, { readonly does: D }>,
  to: { readonly namespace: string | undefined },
) => Words;

const AFTER = 'AFTER INSERT OR UPDATE OR DELETE';

const DEEDS: { readonly [D in Trigger['does']]: Deed<D> } = {
  counts: ({ table, column }, to) => {
    const name = quoteIdentifier(column);
    return { when: AFTER, body: `UPDATE ${quoteName(table, to)} SET ${name} = ${name} + 1; RETURN NULL;` };
  },
  notes: ({ table, columns }, to) => {
    const names = columns.map(quoteIdentifier);
    const noted = (row: string): string =>
      `INSERT INTO ${quoteName(table, to)} (${names.join(', ')}) VALUES (${names.map((name) => `${row}.${name}`).join(', ')});`;
    return { when: AFTER, body: `IF TG_OP = 'DELETE' THEN ${noted('OLD')} ELSE ${noted('NEW')} END IF; RETURN NULL;` };
  },
  tallies: ({ table, column, where, lists }, to) => {
    const list = quoteIdentifier(LIST_COLUMN);
    const set = [
      `${quoteIdentifier(column)} = ${quoteIdentifier(column)} + 1`,
      ...(lists ? [`${list} = right(${list} || ${ENTRY}, ${LIST_WINDOW})`] : []),
    ];
    const of = where === undefined ? '' : ` WHERE ${PRINTER.expression(where, to)}`;
    return { when: 'AFTER INSERT OR UPDATE', body: `UPDATE ${quoteName(table, to)} SET ${set.join(', ')}${of}; RETURN NULL;` };
  },
  looks: ({ table, column, adds }, to) => {
    const sum = `(SELECT coalesce(sum(o.${quoteIdentifier(column)}), 0) FROM ${quoteName(table, to)} AS o)`;
    const own = `NEW.${quoteIdentifier(adds)}`;
    return { when: 'BEFORE INSERT OR UPDATE', body: `${own} := ${own} + ${sum}; RETURN NEW;` };
  },
};

/** The last entry of the row's list belongs to the statement that fired the trigger. */
const ENTRY = `substring(NEW.${quoteIdentifier(LIST_COLUMN)} FROM ',[^,]*$')`;

export function triggers({ name, trigger }: Table, namespace: string | undefined): readonly SetupStatement[] {
  if (trigger === undefined) return [];
  const to = { namespace };
  const named = `${name}_${trigger.does}`;
  const { when, body } = (DEEDS[trigger.does] as Deed<Trigger['does']>)(trigger, to);
  return [
    {
      sql: `CREATE FUNCTION ${quoteName(named, to)}() RETURNS trigger LANGUAGE plpgsql AS ${quoteText(`BEGIN ${body} END`)}`,
      makes: 'part',
    },
    {
      sql: `CREATE TRIGGER ${quoteIdentifier(named)} ${when} ON ${quoteName(name, to)} FOR EACH ROW EXECUTE FUNCTION ${quoteName(named, to)}()`,
      makes: 'part',
    },
  ];
}
