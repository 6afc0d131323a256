/** A request as a program of this machine may send it, with any headers: a browser would not send a foreign Host. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `path` goes as it is: no client tidies `..` away. */
export function send(origin: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> {
  const { hostname, port } = new URL(origin);
  return new Promise((done, failed) => {
    const asked = request({ hostname: hostname.replace(/^\[|\]$/g, ''), port, path, method, headers, agent: false }, (response) => {
      let text = '';
      const told = (): void => done({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        // an event stream does not end by itself
        if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
          told();
          asked.destroy();
        }
      });
      response.on('end', told);
    });
    asked.on('error', failed);
    asked.end(body);
  });
}
