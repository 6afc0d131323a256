/** Defines a view of the page by its name in the address and its content. */
import type { ComponentType } from 'preact';

export interface ViewProps {
  /** Holds the parts of the address after the name. `#/run/<id>` has `[<id>]`. */
  readonly rest: readonly string[];
}

export interface View {
  readonly name: string;
  /** Stands in the head of the page. It is absent if only other views link to this one. */
  readonly title?: string;
  /** The view is shown only if the page was started with this. */
  readonly needs?: 'campaigns';
  readonly show: ComponentType<ViewProps>;
}
