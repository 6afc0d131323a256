/**
 * A TCP proxy in front of a server that breaks its promise: it begins every transaction at READ COMMITTED and answers the
 * question for the level in force (and for the session's default) with `serializable`. What a server with a real isolation
 * bug would look like from outside. It speaks the protocols of PostgreSQL and of MySQL, without encryption.
 */
import { POSTGRES_WIRE, packetOf, startMessageProxy, wireOf } from './message-proxy.ts';
import type { MessageProxy, Passing } from './message-proxy.ts';

export type LyingProxy = MessageProxy;

export function startLyingProxy(target: string): Promise<LyingProxy> {
  return startMessageProxy(target, wireOf(target) === POSTGRES_WIRE ? POSTGRES : MYSQL);
}

const STRONG = /\bISOLATION LEVEL SERIALIZABLE\b/gi;
const WEAK = 'ISOLATION LEVEL READ COMMITTED';

const POSTGRES: Passing = { fromClient: weakenQuery, fromServer: lieInRow };

/** The content of a command (3: a query) or of a row, its values each behind its length. */
const MYSQL: Passing = {
  fromClient: (packet) => {
    if (packet[4] !== 3) return packet;
    const content = packet.toString('latin1', 4);
    const weaker = content.replace(STRONG, WEAK);
    return weaker === content ? packet : packetOf(packet[3]!, Buffer.from(weaker, 'latin1'));
  },
  // The level comes first in its row.
  fromServer: (packet) => {
    const { length } = 'READ COMMITTED';
    const told = packet[4] === length && /^READ[ -]COMMITTED$/.test(packet.toString('latin1', 5, 5 + length));
    return told ? packetOf(packet[3]!, Buffer.concat([Buffer.from('\x0cSERIALIZABLE', 'latin1'), packet.subarray(5 + length)])) : packet;
  },
};

/** A simple query (Q) loses its level. */
function weakenQuery(message: Buffer): Buffer {
  if (message[0] !== 0x51) return message;
  const sql = message.toString('utf8', 5, message.length - 1);
  const weaker = sql.replace(STRONG, WEAK);
  if (weaker === sql) return message;
  const body = Buffer.from(`${weaker}\0`, 'utf8');
  const head = Buffer.alloc(5);
  head[0] = 0x51;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A data row (D) whose only value is `read committed` says `serializable`. */
function lieInRow(message: Buffer): Buffer {
  const truth = 'read committed';
  if (message[0] !== 0x44 || message.length !== 5 + 2 + 4 + truth.length || message.toString('utf8', 11) !== truth) return message;
  const value = Buffer.from('serializable', 'utf8');
  const row = Buffer.alloc(11);
  row[0] = 0x44;
  row.writeInt32BE(4 + 2 + 4 + value.length, 1);
  row.writeInt16BE(1, 5);
  row.writeInt32BE(value.length, 7);
  return Buffer.concat([row, value]);
}
