/** What differs between DBMSs in what names and literals mean; the rest of resolving is the same for all. */
import type { Capabilities } from '../../core/index.ts';

export interface Grammar {
  /** Names that differ only in case are one name. */
  readonly foldCase: boolean;
  /** HAVING, and expressions in ORDER BY and GROUP BY, may name an item's alias. */
  readonly aliasesAnywhere: boolean;
  /** INSERT without a column list may give fewer values than there are columns: the rest takes defaults. */
  readonly shortInserts: boolean;
  /** 0 and 1 are false and true. */
  readonly integerBooleans: boolean;
  /** In what an upsert does with an existing row, a bare column is the existing row's; otherwise it is ambiguous. */
  readonly bareExisting: boolean;
  /** Operands of one comparison or choice must be of one family of types; text becomes nothing else by itself. */
  readonly strictTypes?: true;
  /** A column of type text takes no default but NULL, and stands in no key or index. */
  readonly plainTexts?: true;
  /** Each table has names of its own for its indexes. */
  readonly indexNamesOfTables?: true;
  /** DEFAULT for a column that the server numbers is 0, at least in sessions where 0 is no request for a number. */
  readonly numbersLeftOut?: true;
  /** A lock of the application's own is under a name, not under a number. */
  readonly namedLocks?: true;
  /** What of these the server that is tested has (core/dialect.ts). */
  readonly indexKinds?: Capabilities['indexKinds'];
  /** A UNIQUE key with USING HASH is one over a hash; any other key with it is a B-tree. */
  readonly hashedUniques?: Capabilities['hashedUniques'];
  readonly generated?: Capabilities['generated'];
  readonly deferredKeys?: Capabilities['deferredKeys'];
}
