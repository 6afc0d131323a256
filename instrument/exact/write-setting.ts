/** What the planning of a write in exact mode is given beside the write. */
import type { Capabilities, Table } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';

export interface WriteSetting {
  readonly views: Views;
  readonly capabilities: Capabilities;
  /** The table written, where the user columns of the versions made are wanted (images.ts). */
  readonly imaged: Table | undefined;
}
