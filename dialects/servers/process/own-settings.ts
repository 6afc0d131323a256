/**
 * Which of our own settings a server gets: not those that the user has given a value, nor those that are to be the vendor's.
 * ANOMALIST_VENDOR_SETTINGS names the latter, separated by commas, or says `all`.
 */
import { UsageError } from '../../../core/index.ts';
import type { OwnSetting } from '../../../core/index.ts';

const VARIABLE = 'ANOMALIST_VENDOR_SETTINGS';
const ALL = 'all';

interface Wanted {
  /** The user's, by the server's own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of settings that stay the vendor's, or `all`; default: those of the environment. */
  readonly vendorsWay?: readonly string[];
}

/** Throws UsageError where a setting is to be the vendor's and cannot be. */
export function settingsInForce(
  table: readonly OwnSetting[],
  { settings = {}, vendorsWay = ofEnvironment() }: Wanted,
): readonly OwnSetting[] {
  const given = new Set(Object.keys(settings).map(plain));
  const turned = new Set(vendorsWay.map(plain));
  const stuck = table.find(({ name, fixed }) => fixed && turned.has(plain(name)));
  if (stuck) throw new UsageError(`${VARIABLE}: ${stuck.name} cannot be the vendor's (${stuck.reason}); leave it out`);
  const isTurned = ({ name, fixed }: OwnSetting): boolean => !fixed && (turned.has(ALL) || turned.has(plain(name)));
  return table.filter((each) => !given.has(plain(each.name)) && !isTurned(each));
}

export function asRecord(settings: readonly OwnSetting[]): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

function ofEnvironment(): readonly string[] {
  return (process.env[VARIABLE] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Command lines of MySQL and MariaDB take a dash for each underscore. */
function plain(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}
