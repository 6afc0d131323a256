/** Describes settings in which a started server differs from its vendor's defaults. */
import type { OwnSetting } from '../../core/index.ts';
import { folded } from './folded.ts';
import { plain } from './markdown.ts';

/** Returns `fsync = off, the vendor has on: nothing outlives the run; it changes no outcome`. */
export function ownSettingWords(setting: OwnSetting): string {
  const { reason, outcome } = setting;
  return `${ownSettingInBrief(setting)}: ${reason}; ${outcome === undefined ? 'it changes no outcome' : `it may change ${outcome}`}`;
}

/** Returns `fsync = off, the vendor has on`. */
function ownSettingInBrief({ name, value, vendor }: OwnSetting): string {
  return `${name} = ${value === '' ? "''" : value}, the vendor has ${vendor}`;
}

/** Returns lines for the head of a terminal's report: settings that may change an outcome with the reason, then the others in brief. */
export function ownSettingLines(settings: readonly OwnSetting[] = [], indent = ''): readonly string[] {
  const others = settings.filter(({ outcome }) => outcome === undefined).map(ownSettingInBrief);
  return [
    ...settings
      .filter(({ outcome }) => outcome !== undefined)
      .flatMap((setting) => folded(`not the vendor's: ${ownSettingWords(setting)}`, indent)),
    ...(others.length === 0 ? [] : folded(`not the vendor's, and no outcome depends on it: ${others.join('; ')}`, indent)),
  ];
}

/** Returns a markdown item for each. Only those that may change an outcome have the reason; the HTML page has all reasons. */
export function ownSettingItems(settings: readonly OwnSetting[] = []): readonly string[] {
  return settings.map((setting) => plain(setting.outcome === undefined ? ownSettingInBrief(setting) : ownSettingWords(setting)));
}
