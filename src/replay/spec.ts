/**
 * isolationtester's .spec files (PostgreSQL, src/test/isolation/README), read and run as they are: the SQL is not
 * parsed, so nothing is instrumented, and what counts is whether some serial order of the sessions gives the same
 * results. Markers of a permutation that say who blocks are not needed: the server is asked. At another level every
 * ISOLATION LEVEL of the file is replaced.
 */
import { UsageError, errorText } from '../../core/index.ts';
import type { Control, Dialect, DialectLevel, Level, Statement, TestCase } from '../../core/index.ts';
import { NOT_SEEN, ended, notRun, prevention } from './controls.ts';
import type { Otherwise } from './controls.ts';
import type { Replayer } from './replayer.ts';
import { rowsText } from './serial-outcomes.ts';

export interface Spec {
  readonly setup: readonly string[];
  readonly sessions: readonly SpecSession[];
  /** Lists of steps; a file without one: a step of each session in turn (isolationtester would try every interleaving). */
  readonly permutations: readonly (readonly string[])[];
  /** The level that its first ISOLATION LEVEL names. */
  readonly level: Level | undefined;
}

export interface SpecSession {
  readonly name: string;
  readonly setup: string | undefined;
  readonly steps: readonly { readonly name: string; readonly sql: string }[];
}

const TOKEN = /#[^\n]*|\{[^}]*\}|"(?:[^"]|"")*"(?:\([^)]*\))?|[^\s{}()#"]+(?:\([^)]*\))?/g;

export function parseSpec(text: string, path: string): Spec {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !token.startsWith('#'));
  const setup: string[] = [];
  const sessions: { name: string; setup: string | undefined; steps: { name: string; sql: string }[] }[] = [];
  const permutations: string[][] = [];
  let at = 0;
  const fail = (got: string | undefined, expected: string): never => {
    throw new UsageError(
      `${path}: got ${JSON.stringify(got ?? 'the end')} at word ${at} of the file; expected ${expected}, as in PostgreSQL's src/test/isolation/README.`,
    );
  };
  const block = (): string => {
    const token = tokens[at++];
    return token?.startsWith('{') ? token.slice(1, -1).trim() : fail(token, 'a block in braces');
  };
  while (at < tokens.length) {
    const word = tokens[at++]!;
    const session = sessions.at(-1);
    if (word === 'setup' && session === undefined) setup.push(block());
    else if (word === 'setup') session!.setup = block();
    else if (word === 'teardown') block();
    else if (word === 'session') sessions.push({ name: bare(tokens[at++] ?? ''), setup: undefined, steps: [] });
    else if (word === 'step' && session) session.steps.push({ name: bare(tokens[at++] ?? ''), sql: block() });
    else if (word === 'permutation') {
      const order: string[] = [];
      while (at < tokens.length && !['permutation', 'session', 'setup', 'teardown'].includes(tokens[at]!))
        order.push(bare(tokens[at++]!.replace(/\(.*\)$/, '')));
      permutations.push(order);
    } else fail(word, 'setup, teardown, session, step or permutation');
  }
  if (sessions.length === 0) fail(undefined, 'a session');
  const steps = new Set(sessions.flatMap((session) => session.steps.map(({ name }) => name)));
  for (const name of permutations.flat())
    if (!steps.has(name)) throw new UsageError(`${path}: a permutation names the step ${name}, which no session has.`);
  const named = /ISOLATION\s+LEVEL\s+(READ\s+UNCOMMITTED|READ\s+COMMITTED|REPEATABLE\s+READ|SERIALIZABLE)/i.exec(text)?.[1];
  return {
    setup,
    sessions,
    permutations: permutations.length > 0 ? permutations : [inTurn(sessions)],
    level: named?.toLowerCase().replace(/\s+/, '-') as Level | undefined,
  };
}

function bare(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

function inTurn(sessions: readonly SpecSession[]): string[] {
  const longest = Math.max(...sessions.map(({ steps }) => steps.length));
  return Array.from({ length: longest }, (_, i) => sessions.flatMap(({ steps }) => (steps[i] ? [steps[i].name] : []))).flat();
}

/** Every permutation, `times` times: in how many runs of them no serial order of the sessions explains the results. */
export async function replaySpec(replayer: Replayer, spec: Spec, level: DialectLevel, times: number): Promise<Control> {
  const { version } = await replayer.server();
  const where = { target: replayer.target.name, server: version, level: level.level, own: spec.level === level.level };
  let tries = 0;
  let seen = 0;
  let otherwise = NOT_SEEN;
  for (const permutation of spec.permutations) {
    const serial: string[][] = [];
    for (const order of permutations(spec.sessions)) {
      const { answers, cut } = await run(
        replayer,
        spec,
        level,
        order.flatMap(({ steps }) => steps.map(({ name }) => name).filter((name) => permutation.includes(name))),
      );
      // With an order less, what it alone explains would look like an anomaly.
      if (cut !== undefined) return { ...where, ...ended({ tries, seen }, notRun(cut)) };
      serial.push(answers);
    }
    for (let i = 0; i < times; i++) {
      const { answers, failed, why, cut } = await run(replayer, spec, level, permutation);
      if (cut !== undefined) return { ...where, ...ended({ tries, seen }, notRun(cut)) };
      tries++;
      // Where a session failed, another answer of it is no anomaly.
      if (failed) otherwise = why;
      else if (serial.some((expected) => expected.every((text, session) => text === answers[session])))
        otherwise = otherwise.code === 'not seen' ? why : otherwise;
      else seen++;
    }
  }
  return { ...where, ...ended({ tries, seen }, otherwise) };
}

/** One execution: per session all its answers in its own order. */
async function run(
  replayer: Replayer,
  spec: Spec,
  level: DialectLevel,
  order: readonly string[],
): Promise<{ readonly answers: string[]; readonly failed: boolean; readonly why: Otherwise; readonly cut: string | undefined }> {
  const sql = new Map<Statement, string>();
  const raw = (text: string): Statement => {
    const statement: Statement = {
      kind: 'select',
      items: [{ expression: { kind: 'literal', type: 'integer', value: 1 }, alias: 'spec' }],
      from: { kind: 'table', table: 'spec', alias: 'spec' },
    };
    sql.set(statement, atLevel(text, level));
    return statement;
  };
  let id = 0;
  const mine = spec.sessions.map(({ setup, steps }) => {
    const own = order.filter((name) => steps.some((step) => step.name === name));
    return [...(setup === undefined ? [] : [setup]), ...own.map((name) => steps.find((step) => step.name === name)!.sql)];
  });
  const sessions = mine.map((list) => ({
    transactions: list.map((text) => ({ id: ++id, statements: [raw(text)], end: 'commit' as const, autocommit: true })),
  }));
  const setups = spec.sessions.flatMap(({ setup }, session) => (setup === undefined ? [] : [session]));
  const schedule = [...setups, ...order.map((name) => spec.sessions.findIndex(({ steps }) => steps.some((step) => step.name === name)))];
  const testCase: TestCase = { seed: 'spec', schema: { tables: [] }, sessions, schedule };
  const { history, complete, reason } = await replayer.attempt(testCase, {
    level,
    mode: 'none',
    dialect: rawDialect(replayer.target.dialect, spec, sql),
  });
  const { statements, transactions } = history;
  const texts = sessions.map(() => [] as string[]);
  for (let s = 0; s < statements.count; s++) {
    const session = transactions.session[statements.txn[s]!]!;
    const error = statements.error[s];
    texts[session]?.push(error === undefined ? `${statements.rows[s]} ${rowsText(statements.result[s] ?? [])}` : errorText(error));
  }
  return {
    answers: texts.map((list) => list.join('\n')),
    failed: statements.error.some((error) => error !== undefined),
    why: prevention(history),
    cut: complete ? undefined : (reason ?? 'no reason given'),
  };
}

/**
 * Speaks the file's own SQL. Its names are not known, so it is the one thing that we send to sessions which mean our schema
 * by unqualified names, and nothing but it.
 */
function rawDialect(dialect: Dialect, spec: Spec, sql: ReadonlyMap<Statement, string>): Dialect {
  let made: string | undefined;
  return {
    ...dialect,
    print: (statement, namespace) => sql.get(statement) ?? dialect.print(statement, namespace),
    createNamespace: (namespace) => {
      made = namespace;
      return [...dialect.createNamespace(namespace, { tables: [] }), dialect.enterNamespace(namespace), ...spec.setup];
    },
    connect: (url, options) => dialect.connect(url, made === undefined ? options : { ...options, namespace: made }),
  };
}

function atLevel(text: string, level: DialectLevel): string {
  return text.replace(
    /(ISOLATION\s+LEVEL\s+)(READ\s+UNCOMMITTED|READ\s+COMMITTED|REPEATABLE\s+READ|SERIALIZABLE)/gi,
    (_, words: string) => `${words}${level.sql}`,
  );
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((item, i) => permutations(list.filter((_, k) => k !== i)).map((rest) => [item, ...rest]));
}
