/**
 * A TCP proxy in front of a server that breaks its promise: it begins every transaction at a weaker level than asked for and
 * answers the question for the level in force (and for the session's default) with what was asked for. What a server with a
 * real isolation bug would look like from outside. It speaks the protocols of PostgreSQL and of MySQL, without encryption.
 */
import { POSTGRES_WIRE, packetOf, startMessageProxy, wireOf } from './message-proxy.ts';
import type { MessageProxy, Passing } from './message-proxy.ts';

export type LyingProxy = MessageProxy;

type LevelWords = 'SERIALIZABLE' | 'REPEATABLE READ' | 'READ COMMITTED' | 'READ UNCOMMITTED';

/** What a transaction is asked to be, and what it is. */
export interface Lie {
  readonly asked: LevelWords;
  readonly kept: LevelWords;
}

const USUAL: Lie = { asked: 'SERIALIZABLE', kept: 'READ COMMITTED' };

export function startLyingProxy(target: string, lie: Lie = USUAL): Promise<LyingProxy> {
  return startMessageProxy(target, wireOf(target) === POSTGRES_WIRE ? postgres(lie) : mysql(lie));
}

/** In BEGIN and SET TRANSACTION, and (PostgreSQL) where the session's default is set. */
function weakened(sql: string, { asked, kept }: Lie): string {
  return sql
    .replaceAll(new RegExp(`\\bISOLATION LEVEL ${asked}\\b`, 'gi'), `ISOLATION LEVEL ${kept}`)
    .replaceAll(`default_transaction_isolation TO '${asked.toLowerCase()}'`, `default_transaction_isolation TO '${kept.toLowerCase()}'`);
}

function postgres(lie: Lie): Passing {
  return { fromClient: (message) => weakenQuery(message, lie), fromServer: (message) => lieInRow(message, lie) };
}

/** The content of a command (3: a query) or of a row, its values each behind its length. */
function mysql(lie: Lie): Passing {
  const { asked, kept } = lie;
  const truth = new RegExp(`^${kept.replace(' ', '[ -]')}$`);
  const told = Buffer.concat([Buffer.from([asked.length]), Buffer.from(asked, 'latin1')]);
  return {
    fromClient: (packet) => {
      if (packet[4] !== 3) return packet;
      const content = packet.toString('latin1', 4);
      const weaker = weakened(content, lie);
      return weaker === content ? packet : packetOf(packet[3]!, Buffer.from(weaker, 'latin1'));
    },
    // The level comes first in its row.
    fromServer: (packet) =>
      packet[4] === kept.length && truth.test(packet.toString('latin1', 5, 5 + kept.length))
        ? packetOf(packet[3]!, Buffer.concat([told, packet.subarray(5 + kept.length)]))
        : packet,
  };
}

/** A simple query (Q) loses its level. */
function weakenQuery(message: Buffer, lie: Lie): Buffer {
  if (message[0] !== 0x51) return message;
  const sql = message.toString('utf8', 5, message.length - 1);
  const weaker = weakened(sql, lie);
  if (weaker === sql) return message;
  const body = Buffer.from(`${weaker}\0`, 'utf8');
  const head = Buffer.alloc(5);
  head[0] = 0x51;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A data row (D) whose only value is the level that is kept says the one that was asked for. */
function lieInRow(message: Buffer, { asked, kept }: Lie): Buffer {
  const truth = kept.toLowerCase();
  if (message[0] !== 0x44 || message.length !== 5 + 2 + 4 + truth.length || message.toString('utf8', 11) !== truth) return message;
  const value = Buffer.from(asked.toLowerCase(), 'utf8');
  const row = Buffer.alloc(11);
  row[0] = 0x44;
  row.writeInt32BE(4 + 2 + 4 + value.length, 1);
  row.writeInt16BE(1, 5);
  row.writeInt32BE(value.length, 7);
  return Buffer.concat([row, value]);
}
