/**
 * Reads isolationtester's .spec files (PostgreSQL, src/test/isolation/README) as its own grammar does. The SQL stays
 * text. Markers of a permutation say when isolationtester reports a step as complete. They are read and checked, but the
 * server itself is asked who waits.
 */
import { UsageError } from '../../../core/index.ts';
import type { Level } from '../../../core/index.ts';
import { specTokens } from './spec-tokens.ts';
import type { SpecToken } from './spec-tokens.ts';

export interface SpecStep {
  readonly name: string;
  readonly sql: string;
}

export interface SpecSession {
  readonly name: string;
  readonly setup: string | undefined;
  readonly steps: readonly SpecStep[];
}

/** A condition in parentheses behind a step. Without either field: `*`. */
export interface Marker {
  /** The step must be complete first. With `notices`: its session must have sent so many notices. */
  readonly step?: string;
  readonly notices?: number;
}

export interface PermutationStep {
  readonly name: string;
  readonly markers: readonly Marker[];
}

export interface Spec {
  readonly path: string;
  readonly setup: readonly string[];
  readonly teardown: string | undefined;
  readonly sessions: readonly SpecSession[];
  /** Empty: the file names none, and all interleavings are run. */
  readonly permutations: readonly (readonly PermutationStep[])[];
  /** The level that its first ISOLATION LEVEL names. */
  readonly level: Level | undefined;
  /** The DBMSs for which its head names programs; empty: it names none. */
  readonly dbms: readonly string[];
}

interface Draft {
  setup: string[];
  teardown: string | undefined;
  sessions: { name: string; setup: string | undefined; steps: SpecStep[] }[];
  permutations: PermutationStep[][];
}

const PART_WORDS: ReadonlySet<string> = new Set(['setup', 'teardown', 'session', 'step', 'permutation']);
const DBMS = /^# Programs: .*?"dbms"\s*:\s*"([^"]+)"/gm;
const ISOLATION = /ISOLATION\s+LEVEL\s+(READ\s+UNCOMMITTED|READ\s+COMMITTED|REPEATABLE\s+READ|SERIALIZABLE)/i;

export function parseSpec(text: string, path: string): Spec {
  const reader = new SpecReader(specTokens(text, path), path);
  const draft: Draft = { setup: [], teardown: undefined, sessions: [], permutations: [] };
  while (!reader.ended) readPart(reader, draft);
  if (draft.sessions.length === 0) reader.fail('a session');
  expectNames(draft, path);
  return {
    path,
    ...draft,
    level: ISOLATION.exec(text)?.[1]?.toLowerCase().replace(/\s+/, '-') as Level | undefined,
    dbms: [...new Set([...text.matchAll(DBMS)].map(([, name]) => name!))],
  };
}

function readPart(reader: SpecReader, draft: Draft): void {
  const word = reader.keyword();
  const session = draft.sessions.at(-1);
  if (word === 'setup' && session === undefined) draft.setup.push(reader.block());
  else if (word === 'setup') session!.setup = reader.block();
  else if (word === 'teardown' && session === undefined) draft.teardown = reader.block();
  else if (word === 'teardown') reader.block();
  else if (word === 'session') draft.sessions.push({ name: reader.name('the name of a session'), setup: undefined, steps: [] });
  else if (word === 'step' && session !== undefined) session.steps.push({ name: reader.name('the name of a step'), sql: reader.block() });
  else if (word === 'permutation') draft.permutations.push(reader.permutation());
  else reader.fail('a session before its first step');
}

function expectNames({ sessions, permutations }: Draft, path: string): void {
  const steps = new Set<string>();
  for (const { name } of sessions.flatMap((session) => session.steps)) {
    if (steps.has(name)) throw new UsageError(`${path}: two steps have the name ${name}; expected a name of its own for each.`);
    steps.add(name);
  }
  for (const { name, markers } of permutations.flat()) {
    if (!steps.has(name)) throw new UsageError(`${path}: a permutation names the step ${name}, which no session has.`);
    for (const { step } of markers)
      if (step !== undefined && !steps.has(step))
        throw new UsageError(`${path}: the marker of the step ${name} names the step ${step}, which no session has.`);
  }
}

class SpecReader {
  private readonly tokens: readonly SpecToken[];
  private readonly path: string;
  private at = 0;

  constructor(tokens: readonly SpecToken[], path: string) {
    this.tokens = tokens;
    this.path = path;
  }

  get ended(): boolean {
    return this.at >= this.tokens.length;
  }

  keyword(): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || !PART_WORDS.has(token.text)) return this.fail('setup, teardown, session, step or permutation');
    this.at++;
    return token.text;
  }

  block(): string {
    return this.take('block', 'a block in braces');
  }

  name(expected: string): string {
    if (this.isName()) return this.tokens[this.at++]!.text;
    return this.fail(expected);
  }

  permutation(): PermutationStep[] {
    const steps: PermutationStep[] = [];
    while (this.isName()) steps.push({ name: this.name('a step'), markers: this.markers() });
    if (steps.length === 0) this.fail('a step');
    return steps;
  }

  fail(expected: string): never {
    const token = this.tokens[this.at];
    const got = token === undefined ? 'the end' : JSON.stringify(token.text);
    throw new UsageError(
      `${this.path}: got ${got}${token === undefined ? '' : ` in line ${token.line}`}; expected ${expected}, as in PostgreSQL's src/test/isolation/README.`,
    );
  }

  private markers(): Marker[] {
    const markers: Marker[] = [];
    if (!this.skip('(')) return markers;
    do markers.push(this.marker());
    while (this.skip(','));
    this.take(')', 'a comma or a closing parenthesis');
    return markers;
  }

  private marker(): Marker {
    if (this.skip('*')) return {};
    const step = this.name('the name of a step, or *');
    if (!this.isWord('notices')) return { step };
    this.at++;
    return { step, notices: Number(this.take('number', 'a number of notices')) };
  }

  private isName(): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'quoted' || (token?.kind === 'word' && !PART_WORDS.has(token.text));
  }

  private isWord(word: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'word' && token.text === word;
  }

  private skip(kind: SpecToken['kind']): boolean {
    if (this.tokens[this.at]?.kind !== kind) return false;
    this.at++;
    return true;
  }

  private take(kind: SpecToken['kind'], expected: string): string {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) return this.fail(expected);
    this.at++;
    return token.text;
  }
}
