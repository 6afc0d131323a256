/** The trigger that counts a table's changes in another table: a function, and who calls it. After all rows are there. */
import type { SetupStatement, Table } from '../../core/index.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

export function triggers({ name, counted }: Table, namespace: string | undefined): readonly SetupStatement[] {
  if (counted === undefined) return [];
  const to = { namespace };
  const named = `${name}_counts`;
  const column = quoteIdentifier(counted.column);
  const body = `BEGIN UPDATE ${quoteName(counted.table, to)} SET ${column} = ${column} + 1; RETURN NULL; END`;
  return [
    { sql: `CREATE FUNCTION ${quoteName(named, to)}() RETURNS trigger LANGUAGE plpgsql AS ${quoteText(body)}`, makes: 'part' },
    {
      sql:
        `CREATE TRIGGER ${quoteIdentifier(named)} AFTER INSERT OR UPDATE OR DELETE ON ${quoteName(name, to)} ` +
        `FOR EACH ROW EXECUTE FUNCTION ${quoteName(named, to)}()`,
      makes: 'part',
    },
  ];
}
