export { readAddress } from './address.ts';
export type { Address } from './address.ts';
export { driverOptions, inTurn } from './driver-options.ts';
