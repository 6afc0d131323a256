/** Differences between DBMSs in the meaning of names and literals. The rest of resolving is the same for all. */
import type { Capabilities } from '../../core/dialect/index.ts';

export interface Grammar {
  /** Names that differ only in case are one name. */
  readonly foldCase: boolean;
  /** HAVING, and expressions in ORDER BY and GROUP BY, may use an item's alias. */
  readonly aliasesAnywhere: boolean;
  /** INSERT without a column list may have fewer values than the table has columns. The other columns get defaults. */
  readonly shortInserts: boolean;
  /** 0 and 1 are false and true. */
  readonly integerBooleans: boolean;
  /** In an upsert's assignments a bare column belongs to the existing row. Absent: a bare column is ambiguous. */
  readonly bareExisting: boolean;
  /** Operands of one comparison or choice must be of one family of types, and text has no implicit conversion. */
  readonly strictTypes?: true;
  /** A text column has no default but NULL, and is in no key or index. */
  readonly plainTexts?: true;
  /** Index names are unique within a table only. */
  readonly indexNamesOfTables?: true;
  /** DEFAULT for an identity column is 0, at least in sessions where 0 does not ask for a number. */
  readonly numbersLeftOut?: true;
  /** Advisory locks have names, not numbers. */
  readonly namedLocks?: true;
  /** Those kinds of indexes that the server under test has (core/dialect/dialect.ts). */
  readonly indexKinds?: Capabilities['indexKinds'];
  /** USING HASH makes a UNIQUE key an index over a hash. Any other key with it is a B-tree. */
  readonly hashedUniques?: Capabilities['hashedUniques'];
  readonly generated?: Capabilities['generated'];
  readonly deferredKeys?: Capabilities['deferredKeys'];
}
