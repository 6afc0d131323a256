/** Events of a history, each with any fields that its kind may have; they need not fit one another. */
import * as fc from 'fast-check';
import type { HistoryEvent } from '../../core/history/index.ts';
import { LEVELS } from '../../core/level/index.ts';
import { UNOBSERVED } from '../../core/history/index.ts';

type Event<E extends HistoryEvent['e']> = Extract<HistoryEvent, { e: E }>;

const natural = (): fc.Arbitrary<number> => fc.nat();
const time = (): fc.Arbitrary<number> => fc.nat({ max: Number.MAX_SAFE_INTEGER });
const text = (): fc.Arbitrary<string> => fc.string({ unit: 'binary', maxLength: 12 });
const few = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(each, { maxLength: 3 });
const cells = (): fc.Arbitrary<(string | null)[][]> => few(few(fc.option(text())));
const groups = (size: number): fc.Arbitrary<string[]> =>
  few(fc.array(text(), { minLength: size, maxLength: size })).map((each) => each.flat());
const words = (): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), text(), { maxKeys: 3, noNullPrototype: true });
const yes = (): fc.Arbitrary<true> => fc.constant(true as const);
const place = { s: natural(), t: fc.integer({ min: 1, max: 0x7fffffff }), n: natural(), at: time() };

export function roundEvent(): fc.Arbitrary<Event<'round'>> {
  return fc.record(
    {
      e: fc.constant('round' as const),
      round: natural(),
      seed: fc.constantFrom('s/0', 's/1'),
      dialect: text(),
      server: text(),
      level: fc.constantFrom(...LEVELS.map(({ level }) => level)),
      mode: fc.constantFrom('stress', 'schedule'),
      instrument: fc.constantFrom('exact', 'paper', 'none'),
      sessions: natural(),
      endpoints: few(text()),
      tables: few(text()),
      configuration: words(),
      namespace: text(),
      objects: yes(),
    },
    {
      requiredKeys: [
        'e',
        'round',
        'seed',
        'dialect',
        'server',
        'level',
        'mode',
        'instrument',
        'sessions',
        'endpoints',
        'tables',
        'configuration',
      ],
    },
  );
}

function invoke(): fc.Arbitrary<Event<'invoke'>> {
  return fc.record(
    {
      e: fc.constant('invoke' as const),
      ...place,
      k: fc.constantFrom('begin', 'select', 'update', 'rollback to', 'commit', 'final'),
      // texts that repeat
      sql: fc.oneof(fc.constantFrom('COMMIT', 'SELECT 1'), text()),
      seq: natural(),
      p: natural(),
      table: text(),
      reads: fc.constantFrom('exact', 'partial', 'none'),
      reason: text(),
      locks: few(text()),
      nested: yes(),
      name: text(),
      auto: yes(),
      level: fc.constantFrom(...LEVELS.map(({ level }) => level)),
      endpoint: natural(),
    },
    { requiredKeys: ['e', 's', 't', 'n', 'at', 'k', 'sql'] },
  );
}

function ok(): fc.Arbitrary<Event<'ok'>> {
  return fc.record(
    {
      e: fc.constant('ok' as const),
      ...place,
      rows: natural(),
      r: groups(3),
      w: groups(3),
      d: groups(3),
      i: cells(),
      result: cells(),
      incomplete: text(),
      level: text(),
      backend: text(),
      tag: fc.constantFrom('commit', 'rollback'),
      xid: text(),
      blocked: yes(),
    },
    { requiredKeys: ['e', 's', 't', 'n', 'at'] },
  );
}

function fail(): fc.Arbitrary<Event<'fail'>> {
  return fc.record(
    {
      e: fc.constant('fail' as const),
      ...place,
      code: text(),
      class: fc.constantFrom('deadlock', 'serialization', 'other'),
      scope: fc.constantFrom('statement', 'transaction', 'connection'),
      message: text(),
      blocked: yes(),
    },
    { requiredKeys: ['e', 's', 't', 'n', 'at', 'code', 'class', 'scope', 'message'] },
  );
}

function evaluation(): fc.Arbitrary<HistoryEvent> {
  const { t, n } = place;
  const when = fc.record({ tables: few(text()), versions: few(natural()) });
  return fc.oneof(
    fc.record({ e: fc.constant('images' as const), table: text(), rids: few(text()), images: cells() }),
    fc.record({ e: fc.constant('versions' as const), table: text(), versions: groups(2) }),
    fc.record(
      { e: fc.constant('predicate' as const), t, n, table: text(), matches: text(), all: yes(), beside: yes(), when },
      { requiredKeys: ['e', 't', 'n', 'table'] },
    ),
    fc.record(
      {
        e: fc.constant('look' as const),
        t,
        n,
        table: text(),
        why: fc.constantFrom(...UNOBSERVED.map(({ name }) => name)),
        yes: few(natural()),
        open: few(natural()),
      },
      { requiredKeys: ['e', 't', 'n', 'table', 'why'] },
    ),
    fc.record({
      e: fc.constant('evaluated' as const),
      predicates: natural(),
      versions: natural(),
      skipped: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), natural(), { maxKeys: 3, noNullPrototype: true }),
    }),
  );
}

export function historyEvent(): fc.Arbitrary<HistoryEvent> {
  const { s, t, at } = place;
  return fc.oneof(
    { weight: 4, arbitrary: invoke() },
    { weight: 4, arbitrary: ok() },
    fail(),
    evaluation(),
    roundEvent(),
    fc.record({ e: fc.constant('end' as const), s, t, at, outcome: fc.constantFrom('committed', 'aborted', 'unknown') }),
    fc.record(
      { e: fc.constant('close' as const), round: natural(), at, complete: fc.boolean(), reason: text() },
      { requiredKeys: ['e', 'round', 'at', 'complete'] },
    ),
  );
}
