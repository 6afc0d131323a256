/** The views of the page, by the first part of the address behind `#/`: another one is registered here. */
import { FindingView } from './finding-view.tsx';
import { RunView } from './run-view.tsx';
import { RunsView } from './runs-view.tsx';
import type { View } from './view.ts';

export const VIEWS: readonly View[] = [
  { name: '', title: 'Runs', show: RunsView },
  { name: 'run', show: RunView },
  { name: 'finding', show: FindingView },
];
