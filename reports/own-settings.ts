/** A setting in which a server that we started differs from its vendor's default, in words. */
import type { OwnSetting } from '../core/index.ts';

/** `fsync = off, the vendor has on: nothing outlives the run; it changes no outcome`. */
export function ownSettingWords({ name, value, vendor, reason, outcome }: OwnSetting): string {
  return `${name} = ${value === '' ? "''" : value}, the vendor has ${vendor}: ${reason}; ${outcome === undefined ? 'it changes no outcome' : `it may change ${outcome}`}`;
}
