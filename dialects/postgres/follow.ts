/**
 * How writes of the user's triggers and functions get into the write lists. A trigger of ours on each table that they
 * may write adds the announced entry of the session (Capabilities.announces). Rows that our statement wrote itself have
 * an entry and an id already and are left alone. Our trigger fires after the user's own, as PostgreSQL orders triggers
 * by the bytes of their names. So it also sees a row that a user's trigger returned unchanged.
 */
import { LIST_COLUMN, LIST_WINDOW, RID_COLUMN } from '../../core/history/index.ts';
import type { Routine, Schema } from '../../core/sql/index.ts';
import type { SetupStatement } from '../../core/dialect/index.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

export const ENTRY_SETTING = 'anomalist.entry';
/** The number of rows that routines inserted in this transaction. */
const COUNT_SETTING = 'anomalist.made';

/**
 * The first number of these rows, which no INSERT of a statement reaches. Those count from 0, and in a WITH from a
 * million times n (marked-write.ts).
 */
const FIRST = 1_000_000_000;

const NAME = '~~~anomalist';

export function followers({ followed = [] }: Schema, namespace: string | undefined): readonly SetupStatement[] {
  if (followed.length === 0) return [];
  const name = quoteName('anomalist_follow', { namespace });
  return [
    { sql: `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS ${quoteText(BODY)}`, makes: 'part' },
    ...followed.map((table): SetupStatement => ({
      sql: `CREATE TRIGGER ${quoteIdentifier(NAME)} BEFORE INSERT OR UPDATE ON ${quoteName(table, { namespace })} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
      makes: 'part',
    })),
  ];
}

/** Disables the user's triggers, as the tables' owner may. Triggers that check foreign keys stay enabled. */
export function withoutTriggers(
  routines: readonly Routine[],
  namespace: string,
): { readonly off: readonly string[]; readonly on: readonly string[] } {
  const tables = [...new Set(routines.flatMap((each) => (each.kind === 'trigger' ? [each.table] : [])))];
  const [off, on] = ['DISABLE', 'ENABLE'].map((word) =>
    tables.map((table) => `ALTER TABLE ${quoteName(table, { namespace })} ${word} TRIGGER USER`),
  );
  return { off: off!, on: on! };
}

const [RID, LIST] = [quoteIdentifier(RID_COLUMN), quoteIdentifier(LIST_COLUMN)];

/** The statement and its triggers may change the same row, but the row gets the entry once. */
const BODY = `DECLARE
  iso_entry text := pg_catalog.current_setting('${ENTRY_SETTING}', true);
  iso_made integer;
BEGIN
  IF coalesce(iso_entry, '') = '' THEN RETURN NEW; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.${LIST} = OLD.${LIST} AND pg_catalog.right(OLD.${LIST}, pg_catalog.length(iso_entry)) <> iso_entry THEN
      NEW.${LIST} := pg_catalog.right(OLD.${LIST} || iso_entry, ${LIST_WINDOW});
    END IF;
  ELSIF NEW.${RID} IS NULL THEN
    iso_made := coalesce(nullif(pg_catalog.current_setting('${COUNT_SETTING}', true), ''), '0')::integer;
    PERFORM pg_catalog.set_config('${COUNT_SETTING}', (iso_made + 1)::text, true);
    NEW.${RID} := 'r' || pg_catalog.substr(iso_entry, 2) || '_' || (${FIRST} + iso_made);
    NEW.${LIST} := iso_entry;
  END IF;
  RETURN NEW;
END`;
