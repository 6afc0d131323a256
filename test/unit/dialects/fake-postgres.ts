/**
 * A server that speaks PostgreSQL's simple query protocol and nothing else: it answers each statement by the given function,
 * and remembers what it was sent. For sessions with a DBMS that is not at hand.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { FakeServer } from './fake-mysql.ts';

export interface FakePostgres extends FakeServer {
  /** Names and values that clients began with: user, root, database, ... */
  readonly startup: readonly string[];
}

/** Rows of text, a command tag, or an error. */
export type FakeReply = readonly (readonly (string | null)[])[] | string | { readonly code: string; readonly message: string };

export async function fakePostgres(answer: (sql: string) => FakeReply): Promise<FakePostgres> {
  const sent: string[] = [];
  const startup: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let status = 'I';
    let started = false;
    let buffered = Buffer.alloc(0);
    const reply = (text: string): Buffer[] => {
      const packets: Buffer[] = [];
      for (const sql of text.split('; ')) {
        sent.push(sql);
        const given = answer(sql);
        if (typeof given === 'object' && 'code' in given) {
          if (status === 'T') status = 'E';
          return [...packets, message('E', Buffer.from(`SERROR\0C${given.code}\0M${given.message}\0\0`))];
        }
        if (sql.startsWith('BEGIN')) status = 'T';
        if (sql === 'COMMIT' || sql === 'ROLLBACK') status = 'I';
        packets.push(...(typeof given === 'string' ? [message('C', text0(given))] : rows(given)));
      }
      return packets;
    };
    socket.on('error', () => sockets.delete(socket));
    socket.on('data', (data: Buffer) => {
      buffered = Buffer.concat([buffered, data]);
      for (;;) {
        const head = started ? 1 : 0;
        if (buffered.length < head + 4) return;
        const length = head + buffered.readInt32BE(head);
        if (buffered.length < length) return;
        const [packet, type] = [buffered.subarray(head + 4, length), started ? String.fromCharCode(buffered[0]!) : 'startup'];
        buffered = buffered.subarray(length);
        if (type === 'X') return void socket.end();
        if (type === 'startup') {
          started = true;
          startup.push(...packet.subarray(4).toString().split('\0'));
          socket.write(Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), ready(status)]));
        } else if (type === 'Q') {
          socket.write(Buffer.concat([...reply(packet.subarray(0, -1).toString()), ready(status)]));
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    startup,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const text0 = (text: string): Buffer => Buffer.from(`${text}\0`);
const ready = (status: string): Buffer => message('Z', Buffer.from(status));
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Every column is of type text. */
function rows(given: readonly (readonly (string | null)[])[]): Buffer[] {
  const columns = given[0] ?? [''];
  const described = columns.flatMap((_, c) => [text0(`c${c}`), int32(0), int16(0), int32(25), int16(0xffff), int32(-1), int16(0)]);
  const data = given.map((row) =>
    message(
      'D',
      Buffer.concat([
        int16(row.length),
        ...row.flatMap((value) => (value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)])),
      ]),
    ),
  );
  return [message('T', Buffer.concat([int16(columns.length), ...described])), ...data, message('C', text0(`SELECT ${given.length}`))];
}
