/** An exploration of one program that found nothing, to be changed where a test asks about something. */
import type { ExploreLevel, ExploreReport } from '../../../reports/index.ts';

export const LEVEL: ExploreLevel = {
  level: 'serializable',
  programs: 1,
  whole: 1,
  sampled: 0,
  orders: 20,
  cut: 0,
  seconds: 1,
  outcomes: 3,
  dropped: {},
  coverage: { pairs: 0, covered: 0 },
  statements: { judged: 0, unjudged: {} },
  dependencies: { asked: 0, unclear: {} },
  unconfirmed: 0,
  untried: 0,
  families: [],
};

export const REPORT: ExploreReport = {
  tool: 'anomalist',
  command: '',
  startedAt: '',
  seconds: 1,
  target: '',
  server: '',
  configuration: {},
  seed: '1',
  workers: 1,
  lacking: [],
  levels: [LEVEL],
};
