/** The input of the planning of a write in exact mode, beside the write. */
import type { Capabilities, Table } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';

export interface WriteSetting {
  readonly views: Views;
  readonly capabilities: Capabilities;
  /** The table written, if the user columns of its new versions are wanted (images.ts). */
  readonly imaged: Table | undefined;
}
