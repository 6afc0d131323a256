export * from './columns.ts';
export { decodeCapture } from './decode-capture.ts';
export type { DecodedCapture } from './decode-capture.ts';
export { decodeObservations } from './decode-observations.ts';
export type { Decoded } from './decode-observations.ts';
export {
  appendedList,
  asText,
  asVersion,
  besideArray,
  imageOf,
  metArray,
  readsItem,
  versionColumns,
  versionItems,
  writtenArray,
} from './show.ts';
export * from './triples.ts';
export * from './write-list.ts';
