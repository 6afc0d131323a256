/** The views of the page, by the first part of the address behind `#/`: another one is registered here, with its name in the head. */
import type { ComponentType } from 'preact';
import { FindingView } from './finding-view.tsx';
import { RunView } from './run-view.tsx';
import { RunsView } from './runs-view.tsx';

export interface ViewProps {
  /** What stands behind the name in the address: `#/run/<id>` has `[<id>]`. */
  readonly rest: readonly string[];
}

export interface View {
  readonly name: string;
  /** In the head of the page; absent: it is reached from another one. */
  readonly title?: string;
  readonly show: ComponentType<ViewProps>;
}

export const VIEWS: readonly View[] = [
  { name: '', title: 'Runs', show: RunsView },
  { name: 'run', show: RunView },
  { name: 'finding', show: FindingView },
];
