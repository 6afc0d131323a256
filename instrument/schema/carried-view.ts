/** What a view of the schema shows of the rows behind it. */
import type { READS_COLUMN, View } from '../../core/index.ts';

export type CarriedView = {
  /** As the user has it, but for natural joins. */
  readonly view: View;
  /** As it is created. */
  readonly definition: View;
  /** Why it does not show every row that its query read. */
  readonly hidden?: string;
} & (
  | {
      readonly carries: 'row';
      readonly table: string;
      /** By what names its definition has the user columns of the table, in their order; absent where it does not have them all. */
      readonly whole?: readonly string[];
    }
  | { readonly carries: typeof READS_COLUMN | 'nothing' }
);

export type Views = ReadonlyMap<string, CarriedView>;
