/** What a view of the schema shows of the rows behind it. */
import type { READS_COLUMN, View } from '../../core/index.ts';

export type CarriedView = {
  /** As the user has it, but for natural joins. */
  readonly view: View;
  /** As it is created. */
  readonly definition: View;
  /** Why it does not show every row that its query read. */
  readonly hidden?: string;
} & ({ readonly carries: 'row'; readonly table: string } | { readonly carries: typeof READS_COLUMN | 'nothing' });

export type Views = ReadonlyMap<string, CarriedView>;
