/** Settings in which a server that we started differs from its vendor's defaults, in words. */
import type { OwnSetting } from '../../core/index.ts';

/** `fsync = off, the vendor has on: nothing outlives the run; it changes no outcome`. */
export function ownSettingWords(setting: OwnSetting): string {
  const { reason, outcome } = setting;
  return `${ownSettingInBrief(setting)}: ${reason}; ${outcome === undefined ? 'it changes no outcome' : `it may change ${outcome}`}`;
}

/** `fsync = off, the vendor has on`. */
export function ownSettingInBrief({ name, value, vendor }: OwnSetting): string {
  return `${name} = ${value === '' ? "''" : value}, the vendor has ${vendor}`;
}
