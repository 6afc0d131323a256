/** What the page may ask for: nothing that is not in its lists comes to a command line, and nothing is begun of what is refused. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Choices } from '../../../../../src/app/ui/page/messages.ts';
import { OutFolder } from '../../../../../src/app/ui/out-folder.ts';
import { Targets } from '../../../../../src/app/ui/targets.ts';
import { startUi } from '../../../../../src/app/ui/ui.ts';
import type { Ui } from '../../../../../src/app/ui/ui.ts';
import { BEGIN, linesOf, runFolder } from './runs.ts';
import { send } from './request.ts';
import type { Answered } from './request.ts';

const errorOf = (text: string): string => (JSON.parse(text) as { readonly error: string }).error;
const URL_GIVEN = 'postgres://someone:s3cret@127.0.0.1:1/x';

describe('a request of the page', () => {
  const over = new AbortController();
  let out: string;
  let ui: Ui;

  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    runFolder(out, '1', { 'progress.ndjson': linesOf([BEGIN(process.pid)]) });
    ui = await startUi({ out: new OutFolder(out, true), targets: new Targets([URL_GIVEN], ''), port: 0, signal: over.signal });
  });
  afterAll(async () => {
    over.abort();
    await ui.close();
    rmSync(out, { recursive: true, force: true });
  });

  const ask = (path: string, body?: unknown): Promise<Answered> =>
    send(ui.url, `${new URL(ui.url).pathname}${path}`, {
      ...(body !== undefined && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const TARGET = 'postgres://someone:***@127.0.0.1:1/x';
  const GOOD = { target: TARGET, levels: ['serializable'], workload: 'bank', duration: '10s' };

  it('has the target without its password, the levels that it has, and all workloads', async () => {
    const { text } = await ask('api/choices');
    expect(text).not.toContain('s3cret');
    const [first] = (JSON.parse(text) as Choices).targets;
    expect(first).toMatchObject({ name: TARGET, byUrl: true, levels: expect.arrayContaining(['serializable']) });
    expect(text).toContain('"bank"');
  });

  it.each([
    ['another target', { target: URL_GIVEN }, 'There is no target'],
    ['no target', { target: undefined }, 'There is no target'],
    ['an option as a target', { target: '--url' }, 'There is no target'],
    ['a level that it has not', { levels: ['read-uncommited'] }, 'There is no level "read-uncommited"'],
    ['an option as a level', { levels: ['--keep'] }, 'There is no level'],
    ['a level that is no list', { levels: 'serializable' }, 'There is no level'],
    ['a file as a workload', { workload: '/etc/passwd' }, 'There is no workload'],
    ['a time without a unit', { duration: '10' }, 'expected a duration'],
    ['a time that is an option', { duration: '--keep' }, 'expected a duration'],
    ['a time to explore that is none', { explore: 'x' }, 'expected a duration'],
  ])('to start is refused with %s', async (_, wrong, said) => {
    const { status, text } = await ask('api/start', { ...GOOD, ...wrong });
    expect([status, errorOf(text)]).toEqual([400, expect.stringContaining(said)]);
    expect(ui.busy()).toEqual([]);
    expect(readdirSync(out)).toEqual(['1']);
  });

  it.each([
    ['a run that is not there', 'api/runs/2/findings/1/replay', { target: TARGET, reduceSeconds: 0 }, 'has no file'],
    ['a finding that is none', 'api/runs/1/findings/x/replay', { target: TARGET, reduceSeconds: 0 }, 'has no file'],
    ['another target', 'api/runs/1/findings/1/replay', { target: 'x', reduceSeconds: 0 }, 'There is no target'],
    ['seconds that are none', 'api/runs/1/findings/1/replay', { target: TARGET, reduceSeconds: '20' }, 'expected a whole number'],
  ])('to replay is refused of %s', async (_, path, body, said) => {
    const { status, text } = await ask(path, body);
    expect([status, errorOf(text)]).toEqual([400, expect.stringContaining(said)]);
    expect(ui.busy()).toEqual([]);
  });

  it('is refused where its body is no object', async () => {
    for (const body of [null, 1, 'x']) expect((await ask('api/start', body)).status).toBe(400);
  });

  it('of what is not there is answered so', async () => {
    for (const path of ['api/runs/2', 'api/runs/1', 'api/runs/1/findings/1', 'api/nothing']) expect((await ask(path)).status).toBe(404);
  });

  it('for the script has it, put together from the sources', async () => {
    expect((await ask('page.js')).text).toContain('EventSource');
    expect((await ask('part.js')).text).toContain('data-lights');
    expect((await ask('style.css')).text).toContain('--bug:');
  });

  it('for events gets the list at once', async () => {
    const { headers, text } = await ask('api/events');
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(text).toMatch(/^: begun/);
  });
});
