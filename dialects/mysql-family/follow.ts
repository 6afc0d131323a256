/**
 * How writes of the user's triggers and functions get into the write lists. Triggers of ours on each table that they
 * may write add the announced entry of the session (Capabilities.announces). The entry is never outdated, because every
 * statement that may fire a routine is announced. Rows that our statement wrote itself have an entry and an id already
 * and are left alone. So the order of these triggers and the user's own, which do not know the columns, does not
 * matter.
 */
import { LIST_COLUMN, LIST_WINDOW, RID_COLUMN } from '../../core/history/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { SetupStatement } from '../../core/dialect/index.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

const ENTRY = '@iso_e';
/** The number of the last row that routines inserted in the statement. */
const COUNT = '@iso_n';

/** No INSERT of a statement reaches this number, since those count from 0 (marked-write.ts). */
const FIRST = 1_000_000_000;

export function announces(entry: string): string {
  return `SET ${ENTRY} = ${quoteText(entry)}, ${COUNT} = ${FIRST - 1}`;
}

const [RID, LIST] = [quoteIdentifier(RID_COLUMN), quoteIdentifier(LIST_COLUMN)];

/** A statement may change a row several times, but the row gets the entry once. */
const APPENDED = `NEW.${LIST} <=> OLD.${LIST} AND RIGHT(OLD.${LIST}, CHAR_LENGTH(${ENTRY})) <> ${ENTRY}`;

const STAMPS = {
  INSERT:
    `SET NEW.${LIST} = IF(NEW.${RID} IS NULL, ${ENTRY}, NEW.${LIST}), ` +
    `NEW.${RID} = IF(NEW.${RID} IS NULL, CONCAT('r', SUBSTRING(${ENTRY}, 2), '_', (${COUNT} := ${COUNT} + 1)), NEW.${RID})`,
  UPDATE: `SET NEW.${LIST} = IF(${APPENDED}, RIGHT(CONCAT(OLD.${LIST}, ${ENTRY}), ${LIST_WINDOW}), NEW.${LIST})`,
} as const;

export function followers({ followed = [] }: Schema, namespace: string | undefined): readonly SetupStatement[] {
  return followed.flatMap((table, i) =>
    Object.entries(STAMPS).map(([change, does]): SetupStatement => ({
      sql: `CREATE TRIGGER ${quoteName(`iso_followed_${i}_${change.toLowerCase()}`, { namespace })} BEFORE ${change} ON ${quoteName(table, { namespace })} FOR EACH ROW ${does}`,
      makes: 'part',
    })),
  );
}
