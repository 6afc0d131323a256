/** The triggers of a table, one for each kind of change. They are created after all rows were inserted. */
import { LIST_COLUMN, LIST_WINDOW } from '../../core/history/index.ts';
import type { Table, Trigger } from '../../core/sql/index.ts';
import type { SetupStatement } from '../../core/dialect/index.ts';
import { PRINTER } from './expression.ts';
import type { Printing } from './flavour.ts';
import { quoteIdentifier, quoteName } from './quote.ts';

const CHANGES = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Change = (typeof CHANGES)[number];

interface Words {
  readonly when: 'BEFORE' | 'AFTER';
  /** Undefined: the trigger ignores this change. */
  readonly body: (change: Change) => string | undefined;
}

type Deed<D extends Trigger['does']> = (trigger: Extract<Trigger, { readonly does: D }>, to: Printing) => Words;

const DEEDS: { readonly [D in Trigger['does']]: Deed<D> } = {
  counts: ({ table, column }, to) => {
    const name = quoteIdentifier(column);
    return { when: 'AFTER', body: () => `UPDATE ${quoteName(table, to)} SET ${name} = ${name} + 1` };
  },
  notes: ({ table, columns }, to) => {
    const names = columns.map(quoteIdentifier);
    const values = (change: Change): string => names.map((name) => `${change === 'DELETE' ? 'OLD' : 'NEW'}.${name}`).join(', ');
    return { when: 'AFTER', body: (change) => `INSERT INTO ${quoteName(table, to)} (${names.join(', ')}) VALUES (${values(change)})` };
  },
  tallies: ({ table, column, where, lists }, to) => {
    const name = quoteIdentifier(column);
    const list = quoteIdentifier(LIST_COLUMN);
    const entry = `CONCAT(',', SUBSTRING_INDEX(NEW.${list}, ',', -1))`;
    const set = [`${name} = ${name} + 1`, ...(lists ? [`${list} = RIGHT(CONCAT(${list}, ${entry}), ${LIST_WINDOW})`] : [])];
    const of = where === undefined ? '' : ` WHERE ${PRINTER.expression(where, to)}`;
    return {
      when: 'AFTER',
      body: (change) => (change === 'DELETE' ? undefined : `UPDATE ${quoteName(table, to)} SET ${set.join(', ')}${of}`),
    };
  },
  looks: ({ table, column, adds }, to) => {
    const sum = `(SELECT COALESCE(SUM(o.${quoteIdentifier(column)}), 0) FROM ${quoteName(table, to)} AS o)`;
    const own = `NEW.${quoteIdentifier(adds)}`;
    return { when: 'BEFORE', body: (change) => (change === 'DELETE' ? undefined : `SET ${own} = ${own} + ${sum}`) };
  },
};

export function triggers({ name, trigger }: Table, to: Printing): readonly SetupStatement[] {
  if (trigger === undefined) return [];
  const { when, body } = (DEEDS[trigger.does] as Deed<Trigger['does']>)(trigger, to);
  return CHANGES.flatMap((change): SetupStatement[] => {
    const does = body(change);
    if (does === undefined) return [];
    const named = quoteName(`${name}_${trigger.does}_${change.toLowerCase()}`, to);
    return [{ sql: `CREATE TRIGGER ${named} ${when} ${change} ON ${quoteName(name, to)} FOR EACH ROW ${does}`, makes: 'part' }];
  });
}
