/** How a view of the schema shows the rows behind it. */
import type { READS_COLUMN, View } from '../../core/index.ts';

export type CarriedView = {
  /** The view as the user has it, but without natural joins. */
  readonly view: View;
  /** The view as it is created. */
  readonly definition: View;
  /** The reason why it does not show every row that its query read. */
  readonly hidden?: string;
} & (
  | {
      readonly carries: 'row';
      readonly table: string;
      /**
       * The names of the table's user columns in the view's definition, in their order. It is absent if the definition
       * does not have them all.
       */
      readonly whole?: readonly string[];
    }
  | { readonly carries: typeof READS_COLUMN | 'nothing' }
);

export type Views = ReadonlyMap<string, CarriedView>;
