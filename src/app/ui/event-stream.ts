/**
 * Sends server-sent events, one-way messages as things happen. A comment from time to time distinguishes a broken
 * connection from a quiet one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventSender } from './route.ts';

const QUIET_MS = 15_000;

export function eventStream(request: IncomingMessage, response: ServerResponse, sender: EventSender): void {
  const gone = new AbortController();
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write(': begun\n\n');
  const beat = setInterval(() => response.write(': here\n\n'), QUIET_MS);
  request.on('close', () => {
    clearInterval(beat);
    gone.abort();
  });
  const send = (name: string, data: unknown): void => {
    if (!gone.signal.aborted) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  void Promise.resolve()
    .then(() => sender(send, gone.signal))
    .catch((error: unknown) => send('failed', { error: error instanceof Error ? error.message : String(error) }));
}
