/**
 * Serves the console on the page. One set of sessions exists at a time, on a target that the page chose. Visitors step
 * it, and it closes with the page. src/console/ does the work, and this part has the routes.
 */
import { UsageError } from '../../../core/base/index.ts';
import { isLevel } from '../../../core/level/index.ts';
import { READY_FIXTURES } from '../../console/ready-fixtures.ts';
import { SAVED_AS } from '../../console/saved.ts';
import { SESSIONS, SqlConsole } from '../../console/sql-console.ts';
import { serialWords } from '../../console/words.ts';
import { graphState, stateOf } from './console-state.ts';
import type { ConsoleChoices, ConsoleOpen, ConsoleSent, ConsoleState } from './page/console-messages.ts';
import type { Part, UiContext } from './part.ts';
import { poll } from './poll.ts';
import type { Answer, Route } from './route.ts';
import type { Targets } from './targets.ts';

const LOOK_MS = 200;
const NONE: Omit<ConsoleState, 'id' | 'state'> = {
  target: '',
  server: '',
  fixture: '',
  tables: [],
  levels: [],
  sessions: [],
  steps: [],
  commits: 0,
};

export function consolePart({ targets, signal }: UiContext): Part {
  const place = new Place(targets, signal);
  return {
    routes: [...aboutRoutes(place, targets), ...stepRoutes(place), ...toldRoutes(place)],
    close: () => place.close(),
    busy: () => place.busy,
  };
}

/** Holds the present set of sessions, if there is one. */
class Place {
  private readonly targets: Targets;
  private readonly signal: AbortSignal;
  private id = 0;
  private sqlConsole: SqlConsole | undefined;
  private words: string | undefined;
  /** Set while the console is being opened or closed. */
  private moving: Promise<void> | undefined;
  private opening = false;

  constructor(targets: Targets, signal: AbortSignal) {
    this.targets = targets;
    this.signal = signal;
  }

  get busy(): string | undefined {
    const open = this.sqlConsole?.record.transactions.some(({ outcome }) => outcome === 'open');
    return this.opening || open === true ? 'open transactions in the console' : undefined;
  }

  /** Throws UsageError if there is none. */
  get here(): SqlConsole {
    if (this.sqlConsole === undefined) throw new UsageError('There is no console; open one first.');
    return this.sqlConsole;
  }

  async state(): Promise<ConsoleState> {
    await this.sqlConsole?.consoleSessions.late();
    if (this.sqlConsole !== undefined) return stateOf(this.id, this.sqlConsole, this.words);
    return { ...NONE, id: this.id, state: this.opening ? 'opening' : 'closed', ...(this.words !== undefined && { words: this.words }) };
  }

  open({ target, fixture, sql, level, sessions }: ConsoleOpen): void {
    if (this.moving !== undefined) throw new UsageError('The console is being opened or closed; wait for its end.');
    const byUrl = this.targets.list().find(({ name }) => name === target)?.byUrl ?? false;
    this.opening = true;
    this.move(async () => {
      const stopped = this.signal;
      await this.ended();
      this.sqlConsole = await SqlConsole.open({
        open: () => this.targets.open(target, stopped),
        started: !byUrl,
        fixture: { name: fixture, text: sql },
        sessions,
        levels: [level],
        signal: stopped,
      });
      this.id++;
    });
  }

  shut(): void {
    if (this.moving !== undefined) throw new UsageError('The console is being opened or closed; wait for its end.');
    this.move(() => this.ended());
  }

  async close(): Promise<void> {
    await this.moving;
    await this.ended();
  }

  private move(work: () => Promise<void>): void {
    this.words = undefined;
    this.moving = work()
      .catch((error: unknown) => void (this.words = error instanceof Error ? error.message : String(error)))
      .finally(() => {
        this.moving = undefined;
        this.opening = false;
      });
  }

  private async ended(): Promise<void> {
    const { sqlConsole } = this;
    this.sqlConsole = undefined;
    this.words = await sqlConsole?.close();
  }
}

function aboutRoutes(place: Place, targets: Targets): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/console',
      answer: () => ({ json: { targets: targets.list(), fixtures: READY_FIXTURES, sessions: SESSIONS } satisfies ConsoleChoices }),
    },
    {
      method: 'GET',
      path: '/api/console/events',
      answer: () => ({
        events: (send, gone) => {
          let told = '';
          // A step that goes on is awaited once.
          let asking = false;
          return poll(LOOK_MS, gone, () => {
            if (asking) return;
            asking = true;
            const tell = (state: ConsoleState): void => {
              const text = JSON.stringify(state);
              if (text !== told) send('console', state);
              told = text;
            };
            void place
              .state()
              .then(tell, (error: unknown) => send('failed', { error: String(error) }))
              .finally(() => (asking = false));
          });
        },
      }),
    },
    {
      method: 'POST',
      path: '/api/console/open',
      answer: ({ body }) => {
        place.open(askedOpen(body, targets));
        return { json: {} };
      },
    },
    {
      method: 'POST',
      path: '/api/console/close',
      answer: () => {
        place.shut();
        return { json: {} };
      },
    },
  ];
}

function stepRoutes(place: Place): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api/console/send',
      answer: async ({ body }) => {
        const { session, sql } = body as { readonly session?: unknown; readonly sql?: unknown };
        if (typeof sql !== 'string' || !Number.isInteger(session))
          throw new UsageError('Expected a session by its number, and a statement.');
        const sent = await place.here.consoleSessions.send(session as number, sql);
        return { json: ('refused' in sent ? { refused: sent.refused } : {}) satisfies ConsoleSent };
      },
    },
    {
      method: 'POST',
      path: '/api/console/level',
      answer: ({ body }) => {
        const { session, level } = body as { readonly session?: unknown; readonly level?: unknown };
        sessionOf(place, session);
        const refused = place.here.setLevel(String(level), session as number);
        return { json: (refused === undefined ? {} : { refused }) satisfies ConsoleSent };
      },
    },
  ];
}

function toldRoutes(place: Place): readonly Route[] {
  const told = <T>(answer: T | string, shown: (told: T) => unknown): Answer => ({
    json: typeof answer === 'string' ? { untold: answer } : shown(answer),
  });
  return [
    { method: 'GET', path: '/api/console/graph', answer: async () => told(await place.here.graph(), graphState) },
    { method: 'GET', path: '/api/console/serial', answer: async () => told(await place.here.plain(), serialWords) },
    {
      method: 'GET',
      path: '/api/console/see/:session',
      answer: async ({ params }) => told(await place.here.see(sessionOf(place, Number(params['session']))), (tables) => ({ tables })),
    },
    {
      method: 'GET',
      path: '/api/console/save/:form',
      answer: async ({ params }) => {
        const as = SAVED_AS.find(({ form }) => form === params['form']);
        if (as === undefined) throw new UsageError(`Expected one of ${SAVED_AS.map(({ form }) => form).join(', ')}.`);
        const saved = await place.here.saved(as.form);
        if (typeof saved === 'string') throw new UsageError(saved);
        return { content: saved.text, type: 'text/plain; charset=utf-8', saveAs: `console${as.end}` };
      },
    },
  ];
}

function sessionOf(place: Place, session: unknown): number {
  const { length } = place.here.consoleSessions.levels;
  if (Number.isInteger(session) && Number(session) >= 0 && Number(session) < length) return Number(session);
  throw new UsageError(`Got session ${JSON.stringify(session)}; expected 0 to ${length - 1}.`);
}

function askedOpen(body: unknown, targets: Targets): ConsoleOpen {
  const { target, fixture, sql, level, sessions } = body as Partial<Record<keyof ConsoleOpen, unknown>>;
  targets.args(target);
  if (typeof fixture !== 'string' || typeof sql !== 'string' || sql.trim() === '')
    throw new UsageError('Expected the SQL of a fixture: CREATE TABLE ...; INSERT ...;');
  if (typeof level !== 'string' || !isLevel(level)) throw new UsageError(`There is no level ${JSON.stringify(level)}.`);
  if (!Number.isInteger(sessions) || Number(sessions) < SESSIONS.least || Number(sessions) > SESSIONS.most)
    throw new UsageError(`Got ${JSON.stringify(sessions)} sessions; expected ${SESSIONS.least} to ${SESSIONS.most}.`);
  return { target: String(target), fixture, sql, level, sessions: Number(sessions) };
}
