/** Every command that connects to a server, with every workload, each as short as it can be and still do all that it does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHIPPED_WORKLOADS } from '../../src/workload/file.ts';
import { inOwnProcess } from './cli.ts';
import type { Finished, RunCommand } from './cli.ts';
import { StoreServer } from './store-server.ts';

export interface CommandRow {
  readonly name: string;
  /** `file`: a path of that name in the test's own folder. */
  readonly args: (file: (name: string) => string) => readonly string[];
  /** It takes two servers: the same one is named twice. */
  readonly twice?: true;
  /** It sends at least so many statements; absent: more than twenty. */
  readonly fewest?: number;
  /** It takes no --url: how it is run on that server. */
  readonly on?: (args: readonly string[], file: (name: string) => string, url: string, run: RunCommand) => Promise<Finished>;
}

/** On what `url` names; each in a process of its own as a user runs it, unless `run` is given. */
export function runOn(row: CommandRow, file: (name: string) => string, url: string, run: RunCommand = inOwnProcess): Promise<Finished> {
  return row.on === undefined ? run(wordsFor(row, file, url)) : row.on(row.args(file), file, url, run);
}

/** The whole line for a server of this URL. */
export function wordsFor({ args, twice }: CommandRow, file: (name: string) => string, url: string): readonly string[] {
  return [...args(file), '--url', url, ...(twice ? ['--url', url] : [])];
}

const CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));
export const SEED = 7;
const SHORT = ['--cases', '1', '--level', 'read-committed', '--seed', String(SEED), '--reduce-seconds', '2', '--fail-on', 'new'];
const KEY_VALUE = ['--sessions', '3', '--objects', '5', '--transactions', '15'];

export const OWN_WORKLOAD = `
-- @schema
CREATE TABLE counters (k int PRIMARY KEY, v int NOT NULL);
CREATE TABLE log (n int PRIMARY KEY, k int NOT NULL, v int NOT NULL, FOREIGN KEY (k) REFERENCES counters (k));
CREATE VIEW high AS SELECT c.k, c.v FROM counters AS c WHERE c.v > 3;
-- @data
INSERT INTO counters (k, v) VALUES (1, 1), (2, 5), (3, 7);
-- @transaction count
-- @parameter :n unique
-- @parameter :k int 1..3
SELECT h.k, h.v FROM high AS h WHERE h.k >= :k;
UPDATE counters SET v = v + 1 WHERE k = :k;
INSERT INTO log (n, k, v) SELECT :n, c.k, c.v FROM counters AS c WHERE c.k = :k;
DELETE FROM log WHERE v < (SELECT min(c.v) FROM counters AS c);
-- @invariant no-orphans
SELECT l.n FROM log AS l WHERE NOT EXISTS (SELECT 1 FROM counters AS c WHERE c.k = l.k);
`;

/** Its words name tables as they like: the one thing of which we cannot say in which schema they are. */
const SPEC = `
setup { CREATE TABLE kv (k int PRIMARY KEY, v int NOT NULL); INSERT INTO kv VALUES (1, 1); }
session s1
step r1 { SELECT v FROM kv WHERE k = 1; }
step w1 { UPDATE kv SET v = 2 WHERE k = 1; }
session s2
step r2 { SELECT v FROM kv WHERE k = 1; }
permutation r1 w1 r2
`;

/** Two that meet, one of which waits, and all that is asked of them. */
const STEPS = `
S1: UPDATE doctors SET on_call = 0 WHERE id = 1
S2: SELECT * FROM doctors
S2: UPDATE doctors SET on_call = 2 WHERE id = 1
:see S1
S1: COMMIT
S2: COMMIT
:serial
:graph
`;

const TARGET = 'EVERY_COMMAND_TARGET';

/** Of rounds and of an exploration a slice each. */
const CAMPAIGN = `
name: every
seed: ${SEED}
targets: [{ url-from: ${TARGET} }]
levels: [read-committed]
jobs:
  - run: { rounds: 1, slice: 1, sessions: 2, reduce-seconds: 2 }
  - explore: { programs: 4, slice: 4, workers: 1 }
`;

/** On a store of its own; what is not done is no end of a worker that was let in. */
async function onStore(args: readonly string[], file: (name: string) => string, url: string, run: RunCommand): Promise<Finished> {
  const store = new StoreServer();
  try {
    await store.start();
    const started = await run(['campaign', 'start', written(file('every.yaml'), CAMPAIGN), '--store', store.url]);
    if (started.code !== 0) throw new Error(`the campaign was not started: ${started.stderr}`);
    const ended = await run([...args, '--store', store.url], { [TARGET]: url });
    const done = await store.query('SELECT 1 FROM anomalist_campaigns.result');
    if (ended.code === 0 && done.length !== 2) throw new Error(`${done.length} of 2 slices were done: ${ended.stderr}`);
    return ended;
  } finally {
    await store.end();
  }
}

const run = (name: string, ...words: readonly string[]): CommandRow => ({
  name,
  args: (file) => ['run', ...SHORT, '--out', file('out'), ...words],
});

export const COMMANDS: readonly CommandRow[] = [
  run('run, relational', '--sessions', '2'),
  run('run, a shard', '--sessions', '2', '--shard', '1/1'),
  run('run, relational by schedule', '--sessions', '2', '--mode', 'schedule'),
  run('run, relational as the paper does', '--sessions', '2', '--instrument', 'paper'),
  run('run, relational without instrumentation', '--instrument', 'none'),
  run('run, mini with late objects', '--workload', 'mini', '--late', '50', ...KEY_VALUE),
  ...['mini', 'general', 'append', 'lwt'].map((kind) => run(`run, ${kind}`, '--workload', kind, ...KEY_VALUE)),
  {
    name: 'run, a file',
    args: (file) => ['run', ...SHORT, '--out', file('out'), '--workload', written(file('own.sql'), OWN_WORKLOAD), '--transactions', '6'],
  },
  ...SHIPPED_WORKLOADS.filter(({ on }) => on === undefined).map(({ name }) =>
    run(`run, ${name}`, '--workload', name, '--transactions', '4'),
  ),
  {
    name: 'replay, a case',
    args: () => ['replay', join(CORPUS, 'canonical', 'fractured-read.json'), '--times', '1', '--level', 'read-committed'],
  },
  {
    name: 'replay, a finding',
    args: () => ['replay', join(CORPUS, 'found', 'lost-update-read-committed.json'), '--times', '1', '--level', 'read-committed'],
  },
  { name: 'shell', args: (file) => ['shell', 'doctors', '--level', 'read-committed', '--steps', written(file('own.steps'), STEPS)] },
  { name: 'import', args: () => ['import', '--schema', 'information_schema'], fewest: 5 },
  { name: 'matrix', args: () => ['matrix', '--level', 'read-committed'] },
  { name: 'explore', args: () => ['explore', '--level', 'serializable', '--programs', '8', '--workers', '2', '--seed', String(SEED)] },
  {
    name: 'compare',
    args: (file) => ['compare', '--programs', '4', '--orders', '4', '--workers', '1', '--seed', String(SEED), '--out', file('compared')],
    twice: true,
  },
  {
    name: 'explore, a shard',
    args: () => ['explore', '--level', 'serializable', '--programs', '8', '--shard', '2/4', '--workers', '1', '--seed', String(SEED)],
  },
  { name: 'worker', args: () => ['worker', '--until-done'], on: onStore },
];

/** Apart from the others, as its statements are not ours. */
export const SPEC_COMMAND: CommandRow = {
  name: 'replay, a .spec',
  args: (file) => ['replay', written(file('own.spec'), SPEC), '--times', '1', '--level', 'read-committed'],
};

function written(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}
