import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../../../core/base/index.ts';
import { StatementTexts } from '../../../../core/history/index.ts';
import type { HistoryEvent, InvokeEvent, OkEvent, WrittenEvent } from '../../../../core/history/index.ts';
import { Recorder } from '../../../../src/execute/index.ts';

const HEADER = { tool: 'anomalist test', seed: 's' };
const invoke: InvokeEvent = { e: 'invoke', s: 0, t: 1, n: 0, k: 'begin', at: 1, sql: 'BEGIN' };
const ok: OkEvent = { e: 'ok', s: 0, t: 1, n: 0, at: 2 };

let folder = '';
let path = '';
const lines = (): unknown[] => {
  const texts = new StatementTexts();
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (texts.read(JSON.parse(line) as WrittenEvent) as { event?: HistoryEvent }).event);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-recorder-'));
  path = join(folder, 'history.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the header is the first line, on disk at once', () => {
  new Recorder(path, HEADER).end();

  expect(lines()).toEqual([{ e: 'header', format: 'anomalist-history', version: 2, tool: 'anomalist test', seed: 's' }]);
});

test('an invocation is on disk when announce returns, with every reply before it and in order', () => {
  const recorder = new Recorder(path, HEADER);
  recorder.announce(invoke);
  recorder.add(ok);
  expect(lines()).toHaveLength(2); // the reply may wait

  recorder.announce({ ...invoke, n: 1 });

  expect(lines().slice(1)).toEqual([invoke, ok, { ...invoke, n: 1 }]);
  recorder.end();
});

test('invocations of one turn share a write, and none is confirmed before it', async () => {
  const recorder = new Recorder(path, HEADER);
  const confirmed = [0, 1].map((s) => recorder.announced({ ...invoke, s }).then(() => lines().length));
  expect(lines()).toHaveLength(1);

  expect(await Promise.all(confirmed)).toEqual([3, 3]);
  recorder.end();
});

test('end writes the replies that still wait', () => {
  const recorder = new Recorder(path, HEADER);
  recorder.add(ok);
  recorder.end();

  expect(lines().at(-1)).toEqual(ok);
});

test('a listener gets every event, with a file or without', () => {
  const seen: HistoryEvent[] = [];
  const recorder = new Recorder(undefined, HEADER);
  recorder.listen((event) => seen.push(event));
  recorder.announce(invoke);
  recorder.add(ok);

  expect(seen).toEqual([invoke, ok]);
});

test('a file that exists is never written over', () => {
  new Recorder(path, HEADER).end();

  expect(() => new Recorder(path, HEADER)).toThrow(UsageError);
  expect(() => new Recorder(join(folder, 'missing', 'h'), HEADER)).toThrow(/folder does not exist.*--out/);
});

/** A file that refuses every write stands for the full disk. */
function onFullDisk(): Recorder {
  const recorder = new Recorder(path, HEADER);
  const { file } = recorder as unknown as { file: { write: () => void } };
  file.write = () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  return recorder;
}

test('a full disk stops the run with one clear message, and nothing is sent after it', () => {
  const recorder = onFullDisk();

  expect(() => recorder.announce(invoke)).toThrow(/cannot write the history.*no space is left/);
  expect(() => recorder.add(ok)).toThrow(/cannot write the history/);
});

test('a shared write that fails rejects every invocation that waited for it', async () => {
  const recorder = onFullDisk();

  const results = await Promise.allSettled([recorder.announced(invoke), recorder.announced(invoke)]);

  expect(results.map((each) => each.status)).toEqual(['rejected', 'rejected']);
});

test('times run forward from zero', () => {
  const recorder = new Recorder(undefined, HEADER);
  const first = recorder.now();

  expect(first).toBeGreaterThanOrEqual(0);
  expect(recorder.now()).toBeGreaterThanOrEqual(first);
});
