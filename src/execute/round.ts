/**
 * Runs one round. A fresh namespace is made, the sessions connect to the endpoints, and the test case runs in stress or
 * in schedule order. Then every table is read back once and the namespace is dropped. However the round ends, the record
 * is closed, the sessions are ended and nothing is left behind, unless the namespace is to be kept.
 *
 * A lost server, an abort and a server that never replies end the round with the results so far. A wrong level, a record
 * that cannot be written and a namespace that cannot be made are thrown.
 */
import { DatabaseError, HistoryBuilder, InternalError, UsageError, evaluationsDiffer, referencesOf } from '../../core/index.ts';
import type {
  BlockedWatcher,
  Connection,
  EndpointState,
  History,
  HistoryEvent,
  ImagesEvent,
  Note,
  RoundEvent,
  ServerFacts,
  ServerMake,
} from '../../core/index.ts';
import { answering, answers, bounded, opened } from './bounded.ts';
import { laggingEndpoints, endpointFor, levelOn, lookAtEndpoints, mainEndpoint } from './endpoints.ts';
import { evaluatePredicates } from '../evaluate/predicates.ts';
import { boundCase } from './bound-case.ts';
import { finalRead } from './final-read.ts';
import { initialImages } from './initial-images.ts';
import { askInvariants, expectInvariants } from './invariants.ts';
import type { InvariantAnswer } from './invariant-query.ts';
import { OPEN_MS, STATEMENT_TIMEOUT_MS, silenceAfter } from './limits.ts';
import type { RoundSetup } from './round-setup.ts';
import { runSchedule } from './schedule.ts';
import { Session } from './session.ts';
import type { SessionSetup } from './session-setup.ts';
import { runStress } from './stress.ts';
import { withWatchdog } from './watchdog.ts';

export interface RoundOutcome {
  readonly history: History;
  /** All plans ended and the final read was done. */
  readonly complete: boolean;
  /** The reason if the round is not complete. */
  readonly reason?: string;
  /** The round is not complete, but the final read was done and the server answers. Another round can run. */
  readonly answers?: true;
  /** Number of transactions by the level in force, as the server named it. */
  readonly inForce: Readonly<Record<string, number>>;
  /** The server as it names itself, and the settings that its promises depend on. */
  readonly server: string;
  readonly make: ServerMake;
  readonly configuration: Readonly<Record<string, string>>;
  readonly endpoints: readonly EndpointState[];
  /** The endpoint of each session, those of the final read included. */
  readonly placed: readonly number[];
  /** The answers of the invariants; empty if the round is not complete. */
  readonly invariants: readonly InvariantAnswer[];
  /** Endpoints whose final read may be stale. */
  readonly laggingEndpoints: readonly number[];
  /** The reason why the namespace is still there although it was to be dropped. */
  readonly leftover?: Note<'schema-left'>;
}

/** The connections of a round beside its sessions. */
export interface Controls {
  /** One control connection for each endpoint. */
  readonly connections: readonly Connection[];
  readonly states: readonly EndpointState[];
  /** The connection to the endpoint on which the schema is made. */
  readonly main: Connection;
}

const CATCH_UP_MS = 30_000;
/** After an abort, running statements have this long to end. */
const GRACE_MS = 1_000;
/** The drop of the namespace waits for no session, because all have ended. */
const DROP_TIMEOUT_MS = 10_000;
/** Limit for a server to answer `SELECT 1` after it has failed. */
const ANSWER_MS = 2_000;
const RECONNECT_MS = 4_000;

export async function runRound(setup: RoundSetup): Promise<RoundOutcome> {
  expectPlanFor(setup);
  const connections: Connection[] = [];
  const sessions: Session[] = [];
  let created = false;
  let main: Connection | undefined;
  let url = setup.urls[0]!;
  let leftover: Note<'schema-left'> | undefined;
  const cleanUp = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => session.close()));
    if (created && !setup.keep) leftover = await dropped(setup, main, url);
    await Promise.all(connections.map((control) => control.end().catch(() => control.destroy())));
  };
  let outcome: Omit<RoundOutcome, 'leftover'>;
  try {
    for (const each of setup.urls) connections.push(await controlOf(setup, each));
    const states = await lookAtEndpoints(setup.dialect, connections);
    const first = mainEndpoint(states);
    if (first < 0)
      throw new UsageError(
        `no endpoint takes writes (${setup.urls.map((each) => setup.dialect.redact(each)).join(', ')}): the schema cannot be made; pass the primary's URL too`,
      );
    url = setup.urls[first]!;
    main = connections[first]!;
    const controls: Controls = { connections, states, main };
    await setup.dialect.assertFree(main, setup.namespace);
    await createNamespace(setup, controls, () => (created = true));
    await expectInvariants(setup, url);
    const images = setup.probedCase.images === true ? await initialImages(setup.dialect, main, setup.probedCase, setup.namespace) : [];
    // The two run one after the other: sessions that open while the other fails would never be closed.
    const facts = await factsOf(setup, controls);
    await openAll(setup, states, sessions);
    outcome = {
      ...(await recorded(setup, [roundEvent(setup, facts), images], sessions, controls)),
      server: facts.version,
      make: facts.make,
      configuration: facts.configuration,
      endpoints: states,
      placed: [...sessions.map(({ setup: { endpoint } }) => endpoint), ...states.keys()],
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
  await cleanUp();
  return leftover === undefined ? outcome : { ...outcome, leftover };
}

/** Reads that are collected a second time prove nothing where two evaluations may differ. Only the plan for that level knows where. */
function expectPlanFor({ probedCase, level: { level }, dialect: { capabilities } }: RoundSetup): void {
  if (probedCase.mode !== 'exact' || probedCase.level === level || !evaluationsDiffer(capabilities, level)) return;
  throw new InternalError(
    `a case planned for ${probedCase.level ?? 'no level'} cannot run at ${level} here: a second evaluation may see other rows; expected instrument() to be given the level`,
  );
}

/** Runs the round from its round event to its close event. */
async function recorded(
  setup: RoundSetup,
  [event, images]: readonly [RoundEvent, readonly ImagesEvent[]],
  sessions: readonly Session[],
  controls: Controls,
): Promise<Pick<RoundOutcome, 'history' | 'complete' | 'reason' | 'answers' | 'inForce' | 'invariants' | 'laggingEndpoints'>> {
  const { recorder } = setup;
  const { connections, main } = controls;
  const watchers = connections.map((each) => setup.dialect.watchBlocked(each));
  let late: ReadonlySet<number> = new Set();
  const builder = new HistoryBuilder(event);
  recorder.listen((each) => builder.add(each));
  recorder.announce(event);
  for (const each of images) recorder.add(each);
  let reason: string | undefined;
  let answered = false;
  let invariants: readonly InvariantAnswer[] = [];
  try {
    reason = await played(setup, sessions, watchers);
    if (!setup.signal?.aborted) {
      // A silent server is not asked for further connections.
      const silent = async (): Promise<string | undefined> =>
        (await answers(main, ANSWER_MS)) ? undefined : 'the server replies to nothing';
      const gone = reason && (await silent());
      if (!gone)
        late = await laggingEndpoints(setup.dialect, connections, setup.catchUpMs ?? CATCH_UP_MS, () => setup.signal?.aborted === true);
      const unread = gone || (await finalRead(setup, controls.states, late));
      if (unread !== undefined) reason = reason === undefined ? unread : `${reason}; ${unread}`;
      if (unread === undefined) for (const each of await evaluated(setup, builder.finish(), main)) recorder.add(each);
      if (reason === undefined && unread === undefined) {
        try {
          invariants = await askInvariants(setup, setup.urls[mainEndpoint(controls.states)]!);
        } catch (error) {
          reason = `the invariants could not be asked: ${setup.dialect.classifyError(error).message}`;
        }
      }
      const mute = await silent();
      answered = unread === undefined && mute === undefined;
      reason ??= mute;
    }
  } catch (error) {
    reason = (error as Error).message;
    throw error;
  } finally {
    close(setup, reason);
    recorder.listen(undefined);
  }
  const inForce: Record<string, number> = {};
  for (const session of sessions)
    for (const [level, count] of Object.entries(session.inForce)) inForce[level] = (inForce[level] ?? 0) + count;
  return {
    history: builder.finish(),
    complete: reason === undefined,
    inForce,
    invariants,
    laggingEndpoints: [...late],
    ...(reason !== undefined && { reason, ...(answered && { answers: true as const }) }),
  };
}

async function evaluated(
  { probedCase, dialect, namespace, signal }: RoundSetup,
  history: History,
  connection: Connection,
): Promise<readonly HistoryEvent[]> {
  if (probedCase.images !== true || signal?.aborted) return [];
  return evaluatePredicates({ history, probedCase: boundCase(probedCase, history), dialect, connection, namespace: `${namespace}_p` });
}

function close({ recorder, round }: RoundSetup, reason: string | undefined): void {
  try {
    recorder.announce({ e: 'close', round, at: recorder.now(), complete: reason === undefined, ...(reason !== undefined && { reason }) });
  } catch (error) {
    if (reason === undefined) throw error; // Otherwise the failure in progress is reported already.
  }
}

/** Runs the plans. Returns the reason if not all of them ended. */
async function played(setup: RoundSetup, sessions: readonly Session[], watchers: readonly BlockedWatcher[]): Promise<string | undefined> {
  const { signal, enough } = setup;
  const timeout = setup.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  let stopping = false;
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    for (const session of sessions) session.stop();
    grace = setTimeout(() => {
      for (const session of sessions) session.drop();
    }, GRACE_MS);
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    await withWatchdog(setup.recorder, sessions, silenceAfter(timeout), () =>
      setup.mode === 'schedule'
        ? runSchedule(sessions, setup.probedCase.testCase.schedule ?? [], { watchers, silentMs: timeout, stopped: () => stopping })
        : runStress(sessions, {
            together: Math.max(1, Math.round((sessions.length * (setup.concurrency ?? 100)) / 100)),
            stopped: async () => stopping || ((await enough?.()) ?? false),
            failed: stop,
          }),
    );
  } finally {
    signal?.removeEventListener('abort', stop);
    clearTimeout(grace);
  }
  if (signal?.aborted) return 'interrupted';
  const lost = sessions.find((session) => session.lost !== undefined);
  return lost && `session ${lost.setup.number} was lost: ${lost.lost}`;
}

function roundEvent(setup: RoundSetup, facts: ServerFacts): RoundEvent {
  const { probedCase, dialect } = setup;
  return {
    e: 'round',
    round: setup.round,
    seed: probedCase.testCase.seed,
    dialect: dialect.name,
    server: facts.version,
    level: setup.level.level,
    mode: setup.mode,
    instrument: probedCase.mode,
    namespace: setup.namespace,
    sessions: probedCase.sessions.length,
    endpoints: setup.urls.map((url) => dialect.redact(url)),
    tables: probedCase.schema.tables.map((table) => table.name),
    keys: Object.fromEntries(
      probedCase.testCase.schema.tables.map(({ name, columns, primaryKey }) => [
        name,
        primaryKey.map((key) => columns.findIndex((column) => column.name === key)),
      ]),
    ),
    references: referencesOf(probedCase.testCase.schema),
    ...(probedCase.schema.followed && { followed: probedCase.schema.followed }),
    ...(setup.objects && { contents: setup.objects.contents }),
    configuration: facts.configuration,
  };
}

function sessionSetups(setup: RoundSetup, states: readonly EndpointState[]): readonly SessionSetup[] {
  const { namespace, dialect, recorder, urls, probedCase } = setup;
  const plans = probedCase.testCase.sessions;
  return setup.probedCase.sessions.map(({ transactions }, number) => {
    const { transactions: planned = [], endpoint: wanted = number, send } = plans[number] ?? {};
    const endpoint = endpointFor(planned, wanted, states);
    const level = levelOn(states[endpoint], setup.level, dialect);
    const statementTimeoutMs = setup.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
    return {
      number,
      endpoint,
      url: urls[endpoint]!,
      namespace,
      dialect,
      level,
      levelOf: (txn) => levelOn(states[endpoint], dialect.levels.find((each) => each.level === txn.level) ?? setup.level, dialect),
      statementTimeoutMs,
      eagerDeadlocks: setup.mode === 'schedule',
      recorder,
      plan: transactions,
      ...(send && { send }),
      ...(probedCase.testCase.binds && { binds: true as const }),
      ...(setup.objects && { objects: setup.objects }),
    };
  });
}

/** Opens all sessions at once. If one cannot be opened, it rejects, and `sessions` has the opened ones in order. */
async function openAll(setup: RoundSetup, states: readonly EndpointState[], sessions: Session[]): Promise<void> {
  const opened = await Promise.allSettled(sessionSetups(setup, states).map((each) => Session.open(each)));
  for (const each of opened) if (each.status === 'fulfilled') sessions.push(each.value);
  for (const each of opened) if (each.status === 'rejected') throw each.reason;
}

/** Opens the control connection, which makes, watches and evaluates. A server that does not answer it is given up. */
async function controlOf({ dialect, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: RoundSetup, url: string): Promise<Connection> {
  return answering(await opened(dialect.connect(url, { statementTimeoutMs }), OPEN_MS), silenceAfter(statementTimeoutMs));
}

/**
 * Reads the server's facts. A round is judged by one configuration, so every endpoint that takes writes must have the
 * settings that promises depend on.
 */
async function factsOf({ dialect, urls }: RoundSetup, { connections, main, states }: Controls): Promise<ServerFacts> {
  const facts = await dialect.facts(main);
  const named = new Set(dialect.promises.flatMap(({ configuration = {} }) => Object.keys(configuration)));
  for (const [endpoint, connection] of connections.entries()) {
    if (connection === main || states[endpoint]?.readOnly === true) continue;
    const { configuration } = await dialect.facts(connection);
    const setting = Object.keys(facts.configuration).find((name) => named.has(name) && configuration[name] !== facts.configuration[name]);
    if (setting === undefined) continue;
    const [here, there] = [urls[mainEndpoint(states)]!, urls[endpoint]!].map((url) => dialect.redact(url));
    throw new UsageError(
      `${setting} is ${facts.configuration[setting]} on ${here} and ${configuration[setting] ?? 'not known'} on ${there}: what the vendor promises depends on it; expected the same on every endpoint that takes writes (a URL parameter sets it for our sessions)`,
    );
  }
  return facts;
}

async function createNamespace(
  { dialect, namespace, probedCase, urls, signal, catchUpMs = CATCH_UP_MS, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: RoundSetup,
  { connections, main, states }: Controls,
  begun: () => void,
): Promise<void> {
  const url = urls[mainEndpoint(states)]!;
  for (const sql of dialect.createNamespace(namespace, probedCase.schema)) {
    try {
      await main.query(sql);
      begun();
    } catch (error) {
      const { class: errorClass, message } = dialect.classifyError(error);
      const cure =
        errorClass === 'syntax' && probedCase.schema.routines !== undefined
          ? 'the server does not take it as the file has it: correct it there'
          : errorClass === 'statement timeout' || errorClass === 'lock timeout'
            ? `it ran into the limit of ${statementTimeoutMs / 1000} s for a statement: the server is busy, or another session holds a lock`
            : 'the user needs the right to create schemas and tables in this database';
      throw new DatabaseError(`cannot make the schema ${namespace} on ${dialect.redact(url)}: ${message} (${sql}); ${cure}`, {
        cause: error,
        sql,
      });
    }
  }
  if (dialect.endpoint === undefined) return;
  for (const late of await laggingEndpoints(dialect, connections, catchUpMs, () => signal?.aborted === true)) {
    if (signal?.aborted || (states[late]?.position === undefined && !states[late]?.readOnly)) continue;
    throw new DatabaseError(
      `the schema ${namespace}, made on ${dialect.redact(url)}, was not seen on ${dialect.redact(urls[late]!)} within ${catchUpMs / 1000} s: expected endpoints of one database that follow each other; check that replication runs`,
    );
  }
}

/** Drops the namespace, over a new connection if the control connection is gone. Returns the reason if it failed. */
async function dropped(
  { dialect, namespace }: RoundSetup,
  control: Connection | undefined,
  url: string,
): Promise<Note<'schema-left'> | undefined> {
  if (control !== undefined) {
    try {
      if (!(await answers(control, ANSWER_MS))) return { code: 'schema-left', data: { schema: namespace } };
      await bounded(dialect.dropNamespace(control, namespace), DROP_TIMEOUT_MS);
      return undefined;
    } catch {
      // The loop tries another connection.
    }
    control.destroy();
  }
  let fresh: Connection | undefined;
  try {
    fresh = await opened(dialect.connect(url, { statementTimeoutMs: DROP_TIMEOUT_MS }), RECONNECT_MS);
    await bounded(dialect.dropNamespace(fresh, namespace), DROP_TIMEOUT_MS);
    return undefined;
  } catch (error) {
    return { code: 'schema-left', data: { schema: namespace, failure: dialect.classifyError(error).message } };
  } finally {
    await fresh?.end();
  }
}
