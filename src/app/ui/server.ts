/**
 * Starts the page's server, on 127.0.0.1 only. Each request goes through the guard, then to the route of its path. The
 * server does not know the work of the page's parts, which parts.ts lists.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import { eventStream } from './event-stream.ts';
import { refusal } from './guard.ts';
import { findRoute } from './route.ts';
import type { Answer, Route } from './route.ts';

export interface UiServer {
  /** The URL contains the token. */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MOST_BODY = 64 * 1024;

/** The policy permits only the page's own script and style, and no frame around the page. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Every answer has these headers. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** `port` 0 chooses any free port. */
export async function startUiServer(routes: readonly Route[], port: number): Promise<UiServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    void answerTo(request, response, { routes, token, port: (server.address() as AddressInfo).port });
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${taken}/${token}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, HOST, done);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = WHY_NOT[error.code ?? ''] ?? error.message;
    throw new UsageError(`--port ${port}: ${why}; choose another one, or leave it out for a free one.`, { cause: error });
  });
}

const WHY_NOT: Readonly<Record<string, string>> = { EADDRINUSE: 'another program listens there', EACCES: 'this user may not listen there' };

interface Around {
  readonly routes: readonly Route[];
  readonly token: string;
  readonly port: number;
}

async function answerTo(request: IncomingMessage, response: ServerResponse, { routes, token, port }: Around): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  try {
    const { method = '', headers } = request;
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const parts = partsOf(path);
    if (parts === undefined) return say(response, 400, 'the path cannot be read');
    const [first = '', ...below] = parts;
    const refused = refusal(
      { method, host: headers.host, origin: headers.origin, contentType: headers['content-type'], token: first },
      port,
      token,
    );
    if (refused) return say(response, refused.status, refused.why);
    if (below.length === 0) return void response.writeHead(307, { Location: `/${token}/` }).end();
    const found = findRoute(routes, method, below);
    if (found === 'no such path') return say(response, 404, 'there is nothing of that name');
    if (found === 'no such method') return say(response, 405, `${method} is not for it`);
    const body = method === 'POST' ? await bodyOf(request) : undefined;
    if (body === 'too long') return say(response, 413, `expected at most ${MOST_BODY} bytes`);
    if (body === 'no object') return say(response, 400, 'expected an object as JSON');
    send(request, response, await found.route.answer({ params: found.params, query: new URLSearchParams(query), body: body?.json }));
  } catch (error) {
    say(response, statusOf(error), error instanceof Error ? error.message : String(error));
  }
}

/** Returns undefined if the path cannot be decoded. */
function partsOf(path: string): readonly string[] | undefined {
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ readonly json: object } | 'too long' | 'no object'> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BODY) return 'too long';
    parts.push(part);
  }
  try {
    const json: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return typeof json === 'object' && json !== null ? { json } : 'no object';
  } catch {
    return 'no object';
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if ('events' in answer) return eventStream(request, response, answer.events);
  if ('json' in answer) {
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer.json));
    return;
  }
  if (answer.policy !== undefined) response.setHeader('Content-Security-Policy', answer.policy);
  if (answer.saveAs !== undefined) response.setHeader('Content-Disposition', `attachment; filename="${answer.saveAs}"`);
  response.writeHead(200, { 'Content-Type': answer.type }).end(answer.content);
}

/** Returns the status for an error of the request, of the database, or of the program. */
function statusOf(error: unknown): number {
  if (error instanceof UsageError) return 400;
  return error instanceof DatabaseError ? 502 : 500;
}

function say(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify({ error: why }));
}
