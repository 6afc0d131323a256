/**
 * Turns a failure between a URL and a usable session into one sentence: what happened, where, what was expected, what
 * to do. The first matching row applies.
 */
import { DatabaseError } from '../../core/base/index.ts';
import type { Advice } from '../connection-advice.ts';
import { NETWORK_ADVICE } from '../connection-advice.ts';
import { redact, scrub } from '../redact.ts';
import { classifyError, errorCode } from './errors.ts';
import type { Member } from './member.ts';

/** Rows match against `CODE message`. */
const ADVICE: readonly Advice[] = [
  ...NETWORK_ADVICE,
  { when: /^ENOENT/, what: 'there is no such socket file', advice: 'check the socket folder in the URL' },
  {
    when: /password must be a (non-empty )?string|no password supplied|requested a password/i,
    what: 'the server asks for a password and the URL has none',
    advice: 'write SCHEME://USER:PASSWORD@HOST/DATABASE, set PGPASSWORD, or put it into ~/.pgpass',
  },
  {
    when: /^28P01/,
    what: 'the user or the password is wrong',
    advice: 'check both; characters such as @ : / # ? % in a password must be percent-encoded',
  },
  { when: /^28000/, what: 'the server does not let this user in', advice: "check the user's name and the server's pg_hba.conf" },
  { when: /^3D000/, what: 'there is no such database', advice: 'create it or name another one at the end of the URL' },
  { when: /^42501/, what: 'the user has no right to connect to this database', advice: 'GRANT CONNECT, CREATE ON DATABASE to this user' },
  { when: /^53300/, what: 'the server has no free connection slots', advice: 'use fewer sessions or raise max_connections' },
  { when: /^57P03/, what: 'the server is starting or stopping', advice: 'try again in a moment' },
  { when: /does not support SSL/i, what: 'the server has no SSL', advice: 'take sslmode out of the URL' },
  {
    when: /ERR_TLS_CERT_ALTNAME_INVALID/,
    what: "the server's certificate is of another host",
    advice: 'write the name that it has, or take sslmode=verify-ca, which trusts its authority for every host',
  },
  { when: /certificate/i, what: "the server's certificate was not accepted", advice: 'check sslmode and sslrootcert in the URL' },
  {
    when: /^ECONNRESET|connection terminated/i,
    what: 'the connection was closed before the server answered',
    advice: 'check that a SERVER server, not another service, listens there',
  },
];

export function connectError(error: unknown, url: string, { title, scheme }: Pick<Member, 'title' | 'scheme'>): DatabaseError {
  const classified = classifyError(error);
  const words = scrub(classified.message, url);
  const row = ADVICE.find(({ when }) => when.test(`${errorCode(error) ?? ''} ${words}`));
  const what = row?.what ?? 'the session could not be opened';
  const advice = (row?.advice ?? 'expected a SERVER server that accepts this URL: check it with psql')
    .replace('SERVER', title)
    .replace('SCHEME', scheme);
  return new DatabaseError(`cannot connect to ${redact(url)}: ${what} (${words}); ${advice}`, { cause: error });
}
