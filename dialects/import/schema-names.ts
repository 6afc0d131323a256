/**
 * The names of a schema while it is read, by the case rules of its grammar. Maps make each lookup fast, since every
 * statement needs some.
 */
import { foldName } from './scope.ts';

export class SchemaNames<Table extends { readonly name: string }> {
  private readonly fold: (name: string) => string;
  private readonly tables = new Map<string, Table>();
  private readonly views = new Set<string>();
  /** The owner of each index name. */
  private readonly indexes = new Map<string, Table>();

  constructor(foldCase: boolean) {
    this.fold = foldName(foldCase);
  }

  table(name: string): Table | undefined {
    return this.tables.get(this.fold(name));
  }

  isTableOrView(name: string): boolean {
    return this.tables.has(this.fold(name)) || this.views.has(this.fold(name));
  }

  ownerOfIndex(name: string): Table | undefined {
    return this.indexes.get(this.fold(name));
  }

  addTable(table: Table): void {
    this.tables.set(this.fold(table.name), table);
  }

  addView(name: string): void {
    this.views.add(this.fold(name));
  }

  addIndex(name: string, table: Table): void {
    this.indexes.set(this.fold(name), table);
  }

  dropIndex(name: string): void {
    this.indexes.delete(this.fold(name));
  }
}
