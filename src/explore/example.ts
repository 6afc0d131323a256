/** Shows a confirmed run to a reader: plain SQL in its order, and where each serial order differs from it. */
import { firstState } from '../../core/program/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { ExploreAnswer, ExploreExample, ExploredLine } from '../../core/verdict/index.ts';
import type { Reply } from './program-runner.ts';
import { BY_HAND } from './by-hand.ts';
import type { BeginSql } from './by-hand.ts';
import type { Confirmed } from './confirm.ts';
import { outcomeCertificate } from './outcome-certificate.ts';
import { packedProgram } from './packed-program.ts';
import type { Sought } from './packed-program.ts';
import { plainRunOf } from './plain-run.ts';
import { planSettings } from './plan-settings.ts';
import { replyKey, resultKey, stateKey } from './outcome.ts';
import type { Outcome, TxnResult } from './outcome.ts';
import type { SerialAnswer } from './oracles/serial.ts';
import type { Played, TranscriptStep } from './play.ts';
import { replyText, rowText } from './reply-text.ts';
import { stepTexts } from './step-texts.ts';

export interface ShownOn {
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  readonly beginSql: BeginSql;
  /** Names of invariants. */
  readonly breaks: readonly string[];
  readonly command: string;
  /** A replay looks for `sought`, and `why` says why it is a finding. Absent: nothing is replayed. */
  readonly finding?: { readonly sought: Sought; readonly why: string };
}

export function exampleOf(program: Program, confirmed: Confirmed & { readonly played: Played }, shown: ShownOn): ExploreExample {
  const { dialect, level, beginSql, breaks, command, finding } = shown;
  const { outcome, transcript } = confirmed.played;
  const answers = confirmed.answers.map((answer) => answerOf(program, outcome, answer, dialect));
  return {
    program: program.number,
    made: program.made,
    setup: dialect.namespaceScript(BY_HAND, program.fixture).map(({ sql }) => sql),
    sessions: [dialect.enterNamespace(BY_HAND), ...planSettings(dialect, program.fixture.byIndex)],
    begin: { level: level.level, sql: beginSql() },
    start: rowsText(program, firstState(program.fixture)),
    lines: linesOf(program, transcript, dialect),
    left: rowsText(program, outcome.state),
    breaks,
    transactions: program.transactions.flatMap(({ name }) => (name === undefined ? [] : [name])),
    answers,
    times: confirmed.times,
    of: confirmed.of,
    ...(confirmed.played.raced !== undefined && { raced: true as const }),
    command,
    ...(finding !== undefined && reproduced(program, confirmed, answers, { ...shown, finding })),
  };
}

/** Returns the parts from which a finding's files are written and with which a replay begins. */
function reproduced(
  program: Program,
  confirmed: Confirmed & { readonly played: Played },
  answers: readonly ExploreAnswer[],
  { dialect, beginSql, breaks, finding: { sought, why } }: ShownOn & Required<Pick<ShownOn, 'finding'>>,
): Pick<ExploreExample, 'plain' | 'case' | 'certificate'> {
  const { played, times, of } = confirmed;
  const { choices, begunAgain, raced } = played;
  const proof = {
    case: packedProgram({ program, choices, ...(begunAgain && { begunAgain }), ...(raced !== undefined && { raced }), sought }),
    ...(sought.oracle === 'serial orders' && { certificate: outcomeCertificate(confirmed) }),
  };
  // No order of its steps, sent by hand, repeats a race.
  if (raced !== undefined) return proof;
  const serialOrders = answers.map(({ order, differs }) => ({
    order,
    sentence: `${order.map((session) => `T${session}`).join(' before ')}: ${differs.join('; ')}.`,
    explains: false,
  }));
  const invariants = breaks.map((name) => ` The rows that are left break the invariant ${name}, which every serial order keeps.`);
  const needsProbes = sought.oracle === 'dependencies';
  return {
    plain: plainRunOf(program, played, {
      dialect,
      beginSql,
      times,
      of,
      serialOrders,
      explanation: `${why}${invariants.join('')} Seen in ${times} of ${of} runs ${needsProbes ? 'with probes' : 'without instrumentation'}.`,
      ...(needsProbes && { needsProbes }),
    }),
    ...proof,
  };
}

function linesOf({ transactions }: Program, transcript: readonly TranscriptStep[], dialect: Dialect): readonly ExploredLine[] {
  return transcript.map(({ session, step, attempt, state, reply }) => {
    const texts = stepTexts(transactions[session]!, repliesTo(transcript, session, attempt), dialect);
    const { steps, autocommit, begin, send } = transactions[session]!;
    const words = begin === undefined ? [] : [dialect.capabilities.begins?.[begin] ?? ''];
    const how = send === undefined || step === steps.length ? '' : ` /* ${send} */`;
    const sql = `${step === 0 && attempt !== undefined ? '/* tried again */ ' : ''}${texts[step]}${how}`;
    return {
      session: session + 1,
      ...(attempt !== undefined && { attempt }),
      sql: step === 0 && !autocommit ? `${['BEGIN', ...words].join(' ')}; ${sql}` : sql,
      state,
      reply: reply === undefined ? '' : `${replyText(reply)}${reply.mismatch === undefined ? '' : `; ${reply.mismatch}`}`,
    };
  });
}

function repliesTo(transcript: readonly TranscriptStep[], session: number, attempt: number | undefined): readonly Reply[] {
  return transcript.flatMap((entry) =>
    entry.session === session && entry.attempt === attempt && entry.reply !== undefined ? [entry.reply] : [],
  );
}

function rowsText({ fixture }: Program, state: FixtureState): readonly string[] {
  // The tables may have other names or columns by now.
  if (fixture.changesSchema)
    return Object.entries(state).map(([name, rows]) => `${name}: ${rows.map(rowText).toSorted().join(' ') || 'no row'}`);
  return fixture.tables.map(
    ({ name, columns }) =>
      `${name}(${columns.map((column) => column.name).join(', ')}): ${(state[name] ?? []).map(rowText).toSorted().join(' ') || 'no row'}`,
  );
}

function answerOf(program: Program, outcome: Outcome, { order, results, state }: SerialAnswer, dialect: Dialect): ExploreAnswer {
  const differs = order.flatMap((session, i) => differencesOf(program, session, outcome.transactions[session]!, results[i]!, dialect));
  const left =
    stateKey(state) === stateKey(outcome.state)
      ? []
      : rowsText(program, state)
          .filter((text) => !rowsText(program, outcome.state).includes(text))
          .map((text) => `leaves ${text}`);
  return { order: order.map((session) => session + 1), differs: [...differs, ...left] };
}

function differencesOf(
  { transactions }: Program,
  session: number,
  happened: TxnResult,
  serial: TxnResult,
  dialect: Dialect,
): readonly string[] {
  if (resultKey(happened) === resultKey(serial)) return [];
  const error = serial.replies.find((reply) => reply.error !== undefined)?.error;
  if (serial.end === 'aborted' && error === undefined && serial.replies.at(-1)?.stops === 'rollback')
    return [`session ${session + 1} ends by its IF, rolled back, told ${serial.replies.map(replyText).join(', ')}`];
  if (serial.end === 'aborted') return [`session ${session + 1} fails: ${error?.message ?? 'rolled back'}`];
  const texts = stepTexts(transactions[session]!, serial.replies, dialect);
  return serial.replies.flatMap((reply, n) => {
    const other = happened.replies[n];
    return other !== undefined && replyKey(other) === replyKey(reply)
      ? []
      : [`session ${session + 1}: ${texts[n]} answers ${replyText(reply)}`];
  });
}
