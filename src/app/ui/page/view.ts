/** A view of the page: what it is called in the address, and what it shows. */
import type { ComponentType } from 'preact';

export interface ViewProps {
  /** What stands behind the name in the address: `#/run/<id>` has `[<id>]`. */
  readonly rest: readonly string[];
}

export interface View {
  readonly name: string;
  /** In the head of the page; absent: it is reached from another one. */
  readonly title?: string;
  /** Shown where the page was started with that alone. */
  readonly needs?: 'campaigns';
  readonly show: ComponentType<ViewProps>;
}
