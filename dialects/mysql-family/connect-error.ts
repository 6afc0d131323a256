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
  { when: /^ENOENT/, what: 'there is no such socket file', advice: 'check the socket in the URL' },
  {
    when: /^(1045|1698)/,
    what: 'the user or the password is wrong',
    advice:
      'check both; characters such as @ : / # ? % in a password must be percent-encoded; without one in the URL MYSQL_PWD is read, and ~/.my.cnf is not',
  },
  { when: /^(1130|1129)/, what: 'the server does not let this host in', advice: "check the user's host on the server (user@'%')" },
  { when: /^1049/, what: 'there is no such database', advice: 'create it or leave it out of the URL' },
  {
    when: /^(1044|1142|1227)/,
    what: 'the user has not the right to this',
    advice: 'GRANT the user ALL on a pattern of databases, such as `anomalist%`.*',
  },
  { when: /^(1040|1203)/, what: 'the server has no free connections', advice: 'use fewer sessions or raise max_connections' },
  { when: /^1047/, what: 'the Galera node is not ready', advice: 'wait until wsrep_ready is ON' },
  { when: /^(1053|1077|1079)/, what: 'the server is stopping', advice: 'try again in a moment' },
  { when: /^3159/, what: 'the server takes encrypted connections only', advice: 'add ?ssl=on to the URL' },
  { when: /^HANDSHAKE_NO_SSL_SUPPORT/, what: 'the server has no SSL', advice: 'take ssl out of the URL' },
  { when: /certificate/i, what: "the server's certificate was not accepted", advice: 'check ssl in the URL: skip-verify accepts any' },
  {
    when: /^(ECONNRESET|PROTOCOL_)/,
    what: 'the connection was closed before the server answered',
    advice: 'check that a MySQL or MariaDB server, not another service, listens there',
  },
];

export function connectError(error: unknown, url: string, { flavour }: Pick<Member, 'flavour'>): DatabaseError {
  const words = scrub(classifyError(error).message, url);
  const row = ADVICE.find(({ when }) => when.test(`${errorCode(error) ?? ''} ${words}`));
  const what = row?.what ?? 'the session could not be opened';
  const advice = row?.advice ?? `expected a ${flavour.title} server that accepts this URL: check it with its own client`;
  return new DatabaseError(`cannot connect to ${redact(url)}: ${what} (${words}); ${advice}`, { cause: error });
}
