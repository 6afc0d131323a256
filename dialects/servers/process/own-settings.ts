/**
 * The settings of ours that a server gets. Settings that the user sets, or wants to keep at the vendor's default, are
 * left out. ANOMALIST_VENDOR_SETTINGS names the latter, separated by commas, or is `all`.
 */
import { UsageError } from '../../../core/base/index.ts';
import type { OwnSetting } from '../../../core/dialect/index.ts';

const VARIABLE = 'ANOMALIST_VENDOR_SETTINGS';
const ALL = 'all';

interface Wanted {
  /** The user's settings, by the server's own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of settings that keep the vendor's default, or `all`. Default: those of ANOMALIST_VENDOR_SETTINGS. */
  readonly vendorsWay?: readonly string[];
}

/** Throws UsageError if a fixed setting should keep the vendor's default. */
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

/** The command lines of MySQL and MariaDB accept a dash for each underscore. */
function plain(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}
