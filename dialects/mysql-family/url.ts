/**
 * Parses a URL of the family: mysql://USER:PASSWORD@HOST:PORT/DATABASE?ssl=on. Settings that the promises depend on may
 * follow the question mark. Other parameters are refused, because a misspelled setting would otherwise be tested as if
 * it were set.
 */
import { UsageError } from '../../core/base/index.ts';
import { redact } from '../redact.ts';
import type { Member } from './member.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly socketPath?: string;
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  /** `skip-verify`: encrypted, without a check of the server's certificate. */
  readonly ssl: 'off' | 'on' | 'skip-verify';
  /** Session settings, name and value. */
  readonly settings: readonly (readonly [string, string])[];
}

const SSL = ['off', 'on', 'skip-verify'] as const;

export function parseUrl(
  url: string,
  { schemes, urlSettings, port: standardPort = 3306 }: Pick<Member, 'schemes' | 'urlSettings' | 'port'>,
  env: NodeJS.ProcessEnv = process.env,
): Address {
  const form = `${schemes[0]}://USER:PASSWORD@HOST:PORT/DATABASE`;
  if (!URL.canParse(url)) throw new UsageError(`${redact(url)} is no URL: expected ${form}; percent-encode @ : / # ? % in the password`);
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const refuse = (what: string): UsageError => new UsageError(`${redact(url)}: ${what}; expected ${form}`);
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw refuse('a % in it is not followed by two hexadecimal digits (a % itself is written %25)');
    }
  };
  const settings: (readonly [string, string])[] = [];
  let ssl: Address['ssl'] = 'off';
  let socketPath: string | undefined;
  for (const [name, value] of searchParams) {
    const allowed = urlSettings[name];
    if (name === 'ssl' && SSL.some((word) => word === value)) ssl = value as Address['ssl'];
    else if (name === 'socket' && value !== '') socketPath = value;
    else if (allowed?.includes(value.toUpperCase())) settings.push([name, value.toUpperCase()]);
    else if (allowed) throw refuse(`${name}=${value}: expected ${allowed.join(' or ')}`);
    else {
      const known = [
        `ssl=${SSL.join('|')}`,
        'socket=PATH',
        ...Object.entries(urlSettings).map(([key, values]) => `${key}=${values.join('|')}`),
      ];
      throw refuse(`${name} is no parameter of such a URL, or not with this value; there are ${known.join(', ')}`);
    }
  }
  const database = decoded(pathname.slice(1));
  return {
    host: hostname === '' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? standardPort : Number(port),
    ...(socketPath !== undefined && { socketPath }),
    user: username === '' ? 'root' : decoded(username),
    // MYSQL_PWD is the only other source that the family's own clients share. ~/.my.cnf is not read, and an error says
    // so.
    password: password === '' ? (env['MYSQL_PWD'] ?? '') : decoded(password),
    ...(database !== '' && { database }),
    ssl,
    settings,
  };
}
