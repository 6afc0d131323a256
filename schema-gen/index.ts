export { generateCase } from './generate-case.ts';
export { DEFAULT_OPTIONS, type GenerateOptions, type Range } from './options.ts';
export { createRandom } from './random.ts';
export { countSteps, generateSchedule } from './schedule.ts';
export { CANONICAL, type CanonicalSchedule } from './canonical.ts';
