/** The target of a run: the user's own endpoints, or a server that is started for this run and stopped after it. */
import { UsageError } from '../../core/base/index.ts';
import type { Dialect, OwnSetting, ServerMake } from '../../core/dialect/index.ts';
import { DIALECTS, SMALL_SESSIONS, dialectFor, interruptible, isSmall, listServers, lookUpServer } from '../../dialects/index.ts';
import { Interrupted } from '../process/interruption.ts';
import { BINARY_WORD, binaryPath } from './binary-option.ts';
import { nearest } from './parse-options.ts';

export interface Target {
  /** The name without credentials. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly urls: readonly string[];
  /** The words that name this target on a command line, without credentials. */
  readonly words: string;
  /** Most sessions of a round; absent: a few, because others may need the server's connections. */
  readonly mostSessions?: number;
  /** The settings in which a started server differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
  /** Returns the log so far of a server that Anomalist started; absent: Anomalist did not start it. */
  readonly log?: () => string;
  /** The processes of a server that Anomalist started; absent: it did not start the server. */
  readonly processes?: readonly number[];
  close(): Promise<void>;
}

/** True for a server that has places for many more sessions than a round needs. Of a user's own server nobody knows that. */
export function hasSpareSessions({ mostSessions = 0 }: Pick<Target, 'mostSessions'>): boolean {
  return mostSessions > SMALL_SESSIONS;
}

/** The text that is printed for a password. */
const HIDDEN = '***';

interface Opening {
  /** Called with progress of slow steps, such as fetching a server. */
  readonly progress?: (line: string) => void;
  /** Ends the start of a server; absent: nothing does. */
  readonly signal?: AbortSignal;
}

export async function openTarget(
  urls: readonly string[],
  target: string,
  { progress = toStderr, signal = NEVER }: Opening = {},
): Promise<Target> {
  const first = urls[0];
  if (first === undefined) return startTarget(target, progress, signal);
  const dialect = dialectFor(first);
  for (const url of urls) {
    if (dialectFor(url) !== dialect)
      throw new UsageError(
        `--url: the endpoints are of different DBMSs (${urls.map((each) => dialect.redact(each)).join(', ')}); expected the endpoints of one database.`,
      );
  }
  const printed = urls.find((url) => url.includes(HIDDEN) && dialect.redact(url) === url);
  if (printed !== undefined)
    throw new UsageError(
      `--url ${printed}: ${HIDDEN} stands there instead of the password, which is never printed; put the password in its place, or leave it out and set it as docs/URLS.md says (PGPASSWORD, MYSQL_PWD).`,
    );
  // Checked once for each, before anything is set or written there.
  for (const url of new Set(urls)) await dialect.expectOwnSessions(url);
  const shown = urls.map((url) => dialect.redact(url));
  const words = shown.map((url) => `--url ${shellWord(url)}`).join(' ');
  return { name: shown.join(', '), dialect, urls, words, close: async () => {} };
}

/** Returns the settings for a report. For a server that Anomalist did not start, none are known. */
export function ownSettingsOf({ ownSettings }: { readonly ownSettings?: Target['ownSettings'] | undefined }): Pick<Target, 'ownSettings'> {
  return ownSettings === undefined ? {} : { ownSettings };
}

/** Asks the server for its release, if releases differ, and returns the target with that release's capabilities. */
export async function ofRelease(target: Target): Promise<Target> {
  const { dialect, urls } = target;
  if (dialect.capabilitiesOf === undefined) return target;
  const connection = await dialect.connect(urls[0]!, {});
  try {
    return asRelease(target, (await dialect.facts(connection)).make);
  } finally {
    await connection.end();
  }
}

export function asRelease(target: Target, make: ServerMake): Target {
  const { dialect } = target;
  return dialect.capabilitiesOf === undefined ? target : { ...target, dialect: { ...dialect, capabilities: dialect.capabilitiesOf(make) } };
}

async function startTarget(given: string, progress: (line: string) => void, signal: AbortSignal): Promise<Target> {
  const { word, target, settings, binary } = partsOf(given);
  const listing = lookUpServer(target, binary);
  if (!listing) {
    const servers = listServers();
    const near = nearest(
      target,
      servers.map((server) => server.target),
    );
    throw new UsageError(
      `--target ${target}: there is no such server.${near ? ` Did you mean ${near}?` : ''} Servers: ${servers.map((server) => server.target).join(', ')} (see: anomalist servers), or pass --url.`,
    );
  }
  if (!listing.available)
    throw new UsageError(`--target ${target} cannot be started here: ${listing.reason}. Pass --url to test a server of your own.`);
  const dialect = DIALECTS.find((each) => each.name === listing.dialect);
  if (!dialect) throw new UsageError(`--target ${target}: no dialect ${listing.dialect}.`);
  const server = await interruptible(signal, () => listing.start({ progress, settings })).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted() : error;
  });
  const mostSessions = isSmall(target) ? SMALL_SESSIONS : CROWD_SESSIONS;
  return {
    name: word,
    dialect,
    urls: server.urls,
    words: `--target ${shellWord(word)}`,
    mostSessions,
    ownSettings: server.ownSettings,
    log: () => server.log(),
    processes: server.pids,
    close: () => server.stop(),
  };
}

interface Parts {
  /** The whole word, with the absolute path. */
  readonly word: string;
  readonly target: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly binary?: string;
}

/** Splits `mariadb@11.8,innodb_snapshot_isolation=OFF`: settings by the server's own names behind the target, and `binary=PATH`. */
function partsOf(given: string): Parts {
  const [target = '', ...words] = given.split(',');
  const pairs = words.map((pair): readonly [string, string] => {
    const [, name, value] = /^([a-z][a-z0-9_.-]*)=(.+)$/i.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--target ${given}: ${JSON.stringify(pair)} is no setting; expected NAME,setting=value,setting=value.`);
    return [name, name === BINARY_WORD ? binaryPath(value) : value];
  });
  const word = [target, ...pairs.map((pair) => pair.join('='))].join(',');
  const { [BINARY_WORD]: binary, ...settings } = Object.fromEntries(pairs);
  return { word, target, settings, ...(binary !== undefined && { binary }) };
}

/** Most sessions on a server that nobody else uses. */
const CROWD_SESSIONS = 32;

const NEVER = new AbortController().signal;

function toStderr(line: string): void {
  process.stderr.write(`anomalist: ${line}\n`);
}

/** Quotes a word for a shell, because a URL may hold `&` and `?`. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
