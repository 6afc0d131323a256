export { generateCase } from './generate-case.ts';
export { DEFAULT_OPTIONS, PLAIN_SHAPES, optionsFor, type GenerateOptions, type GivenOptions, type Range } from './options.ts';
export { createRandom } from './random.ts';
export { countSteps, generateSchedule } from './schedule.ts';
export { CANONICAL, PHENOMENA, type CanonicalSchedule, type Phenomenon, type PhenomenonRow, type PurestForm, type Variant } from './canonical.ts';
