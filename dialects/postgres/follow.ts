/**
 * How what the user's own triggers and functions write gets its place in the write lists: a trigger of ours on each table that
 * they may write, which takes the entry that the session was told (Capabilities.announces). What a statement of ours wrote
 * itself has an entry and an id already, and is left alone. It fires behind the user's own triggers (PostgreSQL orders them
 * by their names' bytes), so that it also sees a row that one of these gave back as it was.
 */
import { LIST_COLUMN, LIST_WINDOW, RID_COLUMN } from '../../core/index.ts';
import type { Routine, Schema, SetupStatement } from '../../core/index.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

export const ENTRY_SETTING = 'anomalist.entry';
/** Rows that routines made in this transaction. */
const COUNT_SETTING = 'anomalist.made';

/** Their numbers begin where no INSERT's can come to: those count from 0, in a WITH from a million times n (marked-write.ts). */
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

/** Of the user, by the owner of the tables; those that check foreign keys go on. */
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

/** In one statement a row may be changed by the statement and by its triggers: it has the entry once. */
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
