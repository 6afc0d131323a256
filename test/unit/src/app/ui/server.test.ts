/** Who is answered by the page of `anomalist ui`, and what never leaves its folder: each refusal beside the same request that is answered. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../../core/base/index.ts';
import { OutFolder } from '../../../../../src/app/ui/out-folder.ts';
import { PARTS } from '../../../../../src/app/ui/parts.ts';
import type { Route } from '../../../../../src/app/ui/route.ts';
import { RunLines } from '../../../../../src/app/ui/run-lines.ts';
import { startUiServer } from '../../../../../src/app/ui/server.ts';
import type { UiServer } from '../../../../../src/app/ui/server.ts';
import { Targets } from '../../../../../src/app/ui/targets.ts';
import { send } from './request.ts';

const SECRET = 'a line that stands outside OUT';
/** Beside the real parts: one that takes what is sent, and one that goes on for ever. */
const PROBES: readonly Route[] = [
  { method: 'POST', path: '/probe', answer: ({ body }) => ({ json: { got: body } }) },
  { method: 'GET', path: '/stream', answer: () => ({ events: (say) => say('here', 1) }) },
];

describe('the server of the page', () => {
  let folder: string;
  let server: UiServer;
  let origin: string;
  /** With the token, without a slash behind it. */
  let base: string;
  const over = new AbortController();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    const out = join(folder, 'out');
    mkdirSync(join(out, 'a-run'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(out, 'a-run', 'report.html'), '<p>ours</p>');
    writeFileSync(join(out, 'a-run', 'secret.txt'), SECRET);
    writeFileSync(join(folder, 'report.html'), SECRET);
    writeFileSync(join(folder, 'elsewhere', 'report.html'), SECRET);
    symlinkSync(join(folder, 'elsewhere'), join(out, 'linked'));
    symlinkSync(join(folder, 'report.html'), join(out, 'a-run', 'explore.html'));
    const found = new OutFolder(out, true);
    const context = { out: found, runs: new RunLines(found), targets: new Targets(['postgres://localhost/x'], ''), signal: over.signal };
    const parts = PARTS.map((make) => make(context));
    server = await startUiServer([...parts.flatMap(({ routes }) => routes), ...PROBES], 0);
    origin = new URL(server.url).origin;
    base = new URL(server.url).pathname.replace(/\/$/, '');
  });
  afterAll(async () => {
    over.abort();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const KINDS = [
    ['a page', 'GET', '/'],
    ['a list', 'GET', '/api/choices'],
    ['a file', 'GET', '/runs/a-run/report.html'],
    ['a stream', 'GET', '/stream'],
    ['a POST', 'POST', '/probe'],
  ] as const;
  const JSON_BODY = { headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };

  it.each(KINDS)('answers %s with the token, and refuses it with a wrong one, a shorter one, and none', async (_, method, path) => {
    const ask = (at: string) => send(origin, at, { method, ...(method === 'POST' && JSON_BODY) });
    expect((await ask(`${base}${path}`)).status).toBe(200);
    for (const at of [`${base.slice(0, -1)}x${path}`, `${base.slice(0, -1)}${path}`, `/x${path}`, path]) {
      const { status, text } = await ask(at);
      expect([at, status]).toEqual([at, 403]);
      expect(text).toContain('token');
      expect(text).not.toContain(base.slice(1));
    }
  });

  it.each(KINDS)('refuses %s to a foreign Host and a foreign Origin, the opaque one too', async (_, method, path) => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      send(origin, `${base}${path}`, {
        method,
        ...(method === 'POST' && JSON_BODY),
        headers: { ...(method === 'POST' && JSON_BODY.headers), ...headers },
      });
    const { host, port } = new URL(origin);
    expect((await ask({ Host: host, Origin: origin })).status).toBe(200);
    expect((await ask({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).status).toBe(200);
    for (const headers of [
      { Host: 'evil.example' },
      { Host: `evil.example:${port}` },
      { Host: `127.0.0.1:${Number(port) + 1}` },
      { Host: `127.0.0.1.evil.example:${port}` },
      { Origin: 'http://evil.example' },
      { Origin: `https://${host}` },
      { Origin: `http://127.0.0.1:${Number(port) + 1}` },
      { Origin: `http://localhost:${port}` },
      { Origin: 'null' },
    ])
      expect([headers, (await ask(headers)).status]).toEqual([headers, 403]);
  });

  it('listens on 127.0.0.1 alone', async () => {
    const others = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).filter(({ address }) => address !== '127.0.0.1'));
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    for (const { address, family } of others) {
      const at = `http://${family === 'IPv6' ? `[${address}]` : address}:${new URL(origin).port}`;
      await expect(send(at, `${base}/`)).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EINVAL|ENETUNREACH|EHOSTUNREACH/);
    }
  });

  it('serves no file outside OUT, no link, and none that runs do not write', async () => {
    expect((await send(origin, `${base}/runs/a-run/report.html`)).text).toBe('<p>ours</p>');
    for (const path of [
      '/runs/../report.html',
      '/runs/a-run/../../report.html',
      '/runs/%2e%2e/report.html',
      '/runs/a-run%2f..%2f../report.html',
      '/runs/..%2felsewhere/report.html',
      '/runs/a-run/..%2f..%2freport.html',
      '/runs/./report.html',
      '/runs//report.html',
      '/runs/%00/report.html',
      '/runs/linked/report.html',
      '/runs/a-run/explore.html',
      '/runs/a-run/secret.txt',
      '/runs/a-run/%ff',
    ]) {
      const { status, text } = await send(origin, `${base}${path}`);
      expect([path, [400, 404].includes(status), text.includes(SECRET), text.includes(folder)]).toEqual([path, true, false, false]);
    }
  });

  it('lets no script but its own run, and a report only in a place of its own', async () => {
    const page = await send(origin, `${base}/`);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    const report = await send(origin, `${base}/runs/a-run/report.html`);
    expect(report.headers['content-security-policy']).toMatch(/^sandbox allow-scripts/);
    expect(report.headers['content-security-policy']).not.toContain('allow-same-origin');
    expect(report.headers['content-security-policy']).toContain("default-src 'none'");
    for (const { headers } of [page, report]) {
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('takes a POST of JSON alone, of a bounded length', async () => {
    const post = (type: string, body: string) =>
      send(origin, `${base}/probe`, { method: 'POST', headers: { 'Content-Type': type }, body }).then(({ status }) => status);
    expect(await post('application/json', '{"a":1}')).toBe(200);
    // What a form of another site could send.
    expect(await post('text/plain', '{"a":1}')).toBe(415);
    expect(await post('application/x-www-form-urlencoded', 'a=1')).toBe(415);
    expect(await post('application/json', '{')).toBe(400);
    expect(await post('application/json', `"${'x'.repeat(70_000)}"`)).toBe(413);
    expect((await send(origin, `${base}/probe`)).status).toBe(405);
    expect((await send(origin, `${base}/nothing`)).status).toBe(404);
  });

  it('says that a port is taken, and leaves what has it alone', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    await expect(startUiServer([], port)).rejects.toThrow(UsageError);
    await expect(startUiServer([], port)).rejects.toThrow(`--port ${port}: another program listens there`);
    await new Promise((done) => other.close(done));
  });
});

describe('OUT', () => {
  it('has to be there where it was named, and a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => new OutFolder(join(folder, 'no'), true)).toThrow('there is no such folder');
    expect(() => new OutFolder(file, false)).toThrow('this is no folder');
    expect(new OutFolder(join(folder, 'no'), false).ids()).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});
