/**
 * A server that speaks MySQL's protocol and nothing else: it says which version it is, answers a statement by the first
 * pattern that matches, and remembers what it was sent. For sessions with a DBMS that is not at hand.
 */
import { createServer } from 'mysql2';

/** Rows of text, an OK, or an error number with its message. */
export type FakeAnswer = readonly (readonly (string | null)[])[] | 'ok' | { readonly errno: number; readonly message: string };

export interface FakeServer {
  readonly port: number;
  readonly sent: readonly string[];
  stop(): Promise<void>;
}

const STATUS = { inTransaction: 1, autocommit: 2, more: 8 } as const;

/** The server's side of a connection, which the types of the driver do not tell of. */
interface Peer {
  sequenceId: number;
  serverHandshake(options: object): void;
  readonly stream: { destroy(): void };
  on(event: string, listener: (text: string) => void): void;
  writeOk(packet: object): void;
  writeError(packet: object): void;
  writeColumns(columns: readonly object[]): void;
  writeTextRow(row: readonly (string | null)[]): void;
  writeEof(warnings: number, status: number): void;
}

interface Listener {
  readonly _server: { address(): { port: number } };
  on(event: 'connection', listener: (peer: Peer) => void): void;
  listen(port: number, host: string, backlog: number, done: () => void): void;
  close(done: () => void): void;
}

export async function fakeMysql(version: string, answer: (sql: string) => FakeAnswer): Promise<FakeServer> {
  const sent: string[] = [];
  const peers = new Set<Peer>();
  const server = (createServer as unknown as () => Listener)();
  server.on('connection', (peer) => {
    peers.add(peer);
    let inside = false;
    peer.on('error', () => peers.delete(peer));
    peer.on('quit', () => peer.stream.destroy());
    const authCallback = (_: unknown, done: (error: null) => void): void => {
      done(null);
      peer.sequenceId = 0;
    };
    peer.serverHandshake({
      protocolVersion: 10,
      serverVersion: version,
      connectionId: 7,
      statusFlags: STATUS.autocommit,
      characterSet: 45,
      capabilityFlags: 0xffffff ^ 0x800,
      authCallback,
    });
    const reply = (text: string): void => {
      const all = text.split('; ');
      // Each command counts anew; its own packet was number 0.
      peer.sequenceId = 1;
      for (const [i, sql] of all.entries()) {
        sent.push(sql);
        if (/^(START TRANSACTION|BEGIN)/.test(sql)) inside = true;
        if (/^(COMMIT|ROLLBACK)$/.test(sql)) inside = false;
        const given = answer(sql);
        const status = (inside ? STATUS.inTransaction : STATUS.autocommit) | (i < all.length - 1 ? STATUS.more : 0);
        if (given === 'ok') peer.writeOk({ affectedRows: 0, serverStatus: status });
        else if ('errno' in given) {
          peer.writeError({ code: given.errno, message: given.message });
          break;
        } else {
          peer.writeColumns(
            (given[0] ?? ['']).map((_, c) => ({
              catalog: 'def',
              schema: '',
              table: '',
              orgTable: '',
              name: `c${c}`,
              orgName: `c${c}`,
              characterSet: 45,
              columnLength: 255,
              columnType: 253,
              flags: 0,
              decimals: 0,
            })),
          );
          for (const row of given) peer.writeTextRow(row);
          peer.writeEof(0, status);
        }
      }
      peer.sequenceId = 0;
    };
    // The driver's server takes a SET for something to prepare.
    for (const event of ['query', 'stmt_prepare']) peer.on(event, reply);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', 0, resolve);
  });
  const { port } = server._server.address();
  return {
    port,
    sent,
    stop: () =>
      new Promise((resolve) => {
        for (const peer of peers) peer.stream.destroy();
        server.close(() => resolve());
      }),
  };
}
