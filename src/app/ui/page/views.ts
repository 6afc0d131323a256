/** Registers the views of the page by the first part of the address after `#/`. */
import { ConsoleView } from './console-view.tsx';
import { CampaignsView } from './campaigns-view.tsx';
import { FindingView } from './finding-view.tsx';
import { RunView } from './run-view.tsx';
import { RunsView } from './runs-view.tsx';
import { StoredFindingView } from './stored-finding-view.tsx';
import type { View } from './view.ts';

export const VIEWS: readonly View[] = [
  { name: '', title: 'Runs', show: RunsView },
  { name: 'console', title: 'Console', show: ConsoleView },
  { name: 'campaigns', title: 'Campaigns', needs: 'campaigns', show: CampaignsView },
  { name: 'run', show: RunView },
  { name: 'finding', show: FindingView },
  { name: 'stored', needs: 'campaigns', show: StoredFindingView },
];
