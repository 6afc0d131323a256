/**
 * The parts of a PostgreSQL URL, by libpq's names (its manual, 32.1.1.2):
 * postgres://USER:PASSWORD@HOST:PORT/DATABASE?name=value&... Each part may be missing, and parameters may replace it.
 * Unknown parameters are refused, because a misspelled setting would otherwise be tested as if it were set.
 */
import { UsageError } from '../../../core/base/index.ts';
import { redact } from '../../redact.ts';

export type Word =
  | 'host'
  | 'port'
  | 'user'
  | 'password'
  | 'dbname'
  | 'passfile'
  | 'service'
  | 'options'
  | 'sslmode'
  | 'sslrootcert'
  | 'sslcert'
  | 'sslkey'
  | 'sslpassword';
export type Words = Readonly<Partial<Record<Word, string>>>;

const WORDS: readonly Word[] = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'passfile',
  'service',
  'options',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
];

/** Parameters without an effect on the test: the tool sets them itself, or they concern the network. */
const IGNORED: ReadonlySet<string> = new Set([
  'application_name',
  'fallback_application_name',
  'client_encoding',
  'connect_timeout',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'tcp_user_timeout',
  'uselibpqcompat',
]);

/** Splits the URL like libpq: user and password end at the first @, if no / comes before it. */
const FORM = /^[a-z][a-z0-9+.-]*:\/\/(?:([^@/:]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^:/?]*)(?::([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/is;

export function readUrl(url: string, scheme: string): Words {
  const form = `${scheme}://USER:PASSWORD@HOST:PORT/DATABASE`;
  const refuse = (what: string): UsageError => new UsageError(`${redact(url)}: ${what}; expected ${form}`);
  const match = FORM.exec(url);
  if (match === null) throw new UsageError(`${redact(url)} is no URL: expected ${form}; percent-encode @ : / # ? % in the password`);
  const decoded = (text: string | undefined): string | undefined => {
    if (text === undefined || text === '') return undefined;
    try {
      return decodeURIComponent(text);
    } catch {
      throw refuse('a % in it is not followed by two hexadecimal digits (a % itself is written %25)');
    }
  };
  const [, user, password, host, port, dbname, query] = match;
  if (host?.includes(',')) throw refuse('it names several hosts; give each a --url of its own');
  // A password with a / looks like a host and a port, so the port's text is not repeated in the message.
  if (port && !/^\d{1,5}$/.test(port))
    throw new UsageError(`${redact(url)} is no URL: its port is no number; expected ${form}; percent-encode @ : / # ? % in the password`);
  const words: [Word, string | undefined][] = [
    ['user', decoded(user)],
    ['password', decoded(password)],
    ['host', decoded(host?.replace(/^\[(.*)\]$/, '$1'))],
    ['port', port === '' ? undefined : port],
    ['dbname', decoded(dbname)],
  ];
  for (const pair of (query ?? '').split('&').filter((each) => each !== '')) {
    const at = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const [name, value] = [pair.slice(0, at), decoded(pair.slice(at + 1))];
    if (name === 'ssl' && (value === 'true' || value === 'false')) words.push(['sslmode', value === 'true' ? 'require' : 'disable']);
    else if (isWord(name) && value === undefined) throw refuse(`${name} has no value`);
    else if (isWord(name)) words.push([name, value]);
    else if (!IGNORED.has(name)) throw refuse(`${JSON.stringify(name)} is no parameter that is read here; there are ${WORDS.join(', ')}`);
  }
  return Object.fromEntries(words.filter(([, value]) => value !== undefined));
}

export function isWord(name: string): name is Word {
  return WORDS.includes(name as Word);
}
