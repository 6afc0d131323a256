export { instrument } from './instrument.ts';
export type { InstrumentOptions } from './instrument.ts';
export { withoutNatural } from './shape.ts';
