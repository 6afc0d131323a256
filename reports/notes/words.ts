/** The words of every kind of note. A kind without words does not compile. */
import type { DomainGuess, Note, NoteCode, UnexplainedResult } from '../../core/history/index.ts';
import type { UnexplainedResults } from '../../core/verdict/index.ts';
import { invariantWhy } from './invariant-reason.ts';

type Words = { readonly [C in NoteCode]: (data: Note<C>['data'], note: Note<C>) => string };

const WORDS: Words = {
  'reply-without-statement': ({ transaction, statement }) =>
    `transaction ${transaction}: a reply to statement ${statement}, which is not open, was left out`,
  'predicate-left-out': ({ transaction, statement, versions }) =>
    `transaction ${transaction}: the predicate of statement ${statement} does not fit ${versions === undefined ? 'any statement' : `the ${versions.count} versions of ${versions.table}`} and was left out`,
  'look-left-out': ({ transaction, statement }) =>
    `transaction ${transaction}: the probe of statement ${statement} does not fit any statement and was left out`,
  'list-unreadable': ({ statement, row, list }) =>
    `statement ${statement}: row ${JSON.stringify(row)} with list ${JSON.stringify(list)} cannot be read`,
  'record-cut': () => 'the record ends early; transactions without an outcome are unknown',
  'no-rounds': () => 'the file holds no round: nothing was checked',

  'element-never-appended': ({ transaction, element, list }) =>
    `transaction ${transaction}: element ${element} of list ${list} was never appended`,
  'element-twice': ({ transaction, element, list }) =>
    `transaction ${transaction}: element ${element} stands twice in a row in list ${list}; its second place is shown as a write from nowhere`,
  'transaction-id-reused': ({ transaction, sessions: [first, other] }) =>
    `transaction id ${transaction} occurs in sessions ${first} and ${other}: ids are global in this format, so all its operations were taken for one transaction of session ${first}; if ids are meant per session, the verdict does not hold`,
  'more-ids-reused': ({ stretches }) => `${stretches} more stretches of operations repeat a transaction id of another session`,
  'levels-not-known': ({ names }) => `:isolation of ${names.join(', ')} is not a known level: treated as not named`,
  'values-numbered': () => 'values that are no 64-bit integers are numbered in order of first use',
  'inserted-twice': ({ key }) =>
    `key ${key} was inserted more than once: :write is taken for an insert if not exists, not for a plain write`,
  'collection-left-out': ({ operations }) => `${operations} operations of Cobra's own garbage collection were left out`,
  'reads-without-balances': ({ reads }) => `${reads} reads succeeded without a value: they show no balances`,
  'times-left-out': ({ format }) =>
    `${format} has no times: when transactions began and ended was left out, so the new file cannot be checked for strict serializability`,
  'levels-left-out': ({ format }) => `${format} has no place for the level of a transaction: levels were left out`,

  'memory-limit-ignored': () => '--max-memory was not kept: the memory of a check can be estimated only for unpacked plume text on disk',
  'checked-in-windows': ({ forgotten, window }) =>
    `checked while it was read: ${forgotten} transactions were dropped from memory, but none of the latest ${window} before the end; a level is no longer checked once it is violated`,
  'checkers-disagree': ({ about, reason }) => `${about}: ${reason}`,
  'result-unexplained': unexplainedResult,
  'rows-missing': ({ statements }) => `${statements} statements found no row of the object that they name: they were left out`,
  'writes-unanswered': ({ writes }) => `${writes} writes of committed transactions have no reply: they were left out`,
  'list-impossible': ({ statement, object, list }) =>
    `statement ${statement} saw the list ${JSON.stringify(list)} of the object ${object}, which appends cannot have made`,
  'own-level-violated': ({ explanation }) => `own is violated: ${explanation}`,

  'final-read-stale': ({ endpoint }) => `the final read on ${endpoint} may be stale: it was not seen to catch up`,
  'schema-left': ({ schema, failure }) => `the schema ${schema} could not be dropped: ${failure ?? 'the server replies to nothing'}`,
  'round-cut': ({ reason }) => `the round ended early: ${reason ?? 'no reason given'}; the server answers, so the run went on`,
  'invariant-refused': ({ invariant, failure }) =>
    `the invariant ${invariant} could not be asked: ${failure}. Its query did not fail on the initial rows, so the rows that the round left may break it; expected a query that returns the rows that break it (further such rounds get no note)`,
  'invariant-broken': (data) => `the invariant ${data.invariant} is broken: ${data.rows}; ${brokenWords(data)}`,
  approximated: ({ line }) => line,

  'not-seen-again': (data, { level }) =>
    `${findingWords(data, level)} did not occur again when its transactions were replayed one statement at a time: it may need a race`,
  'not-replayed': ({ failure, ...data }, { level }) => `${findingWords(data, level)} could not be replayed: ${failure}`,
  'mixed-not-replayed': () => 'findings of transactions at mixed levels are not replayed: the command of each runs its round again',
  fingerprints: ({ anomalies, fingerprints, reduced, reducedFingerprints }) =>
    `${anomalies} anomalies have ${fingerprints} distinct fingerprints; the ${reduced} that were reduced have ${reducedFingerprints}`,
  'replaying-cut': ({ failure }) => `replaying ended early: ${failure}`,
  'findings-replayed': ({ replayed, of }) =>
    `${replayed} of ${of} findings were replayed and reduced, ${of - replayed} were not; anomalist replay finding-N.json does it for one (--reduce-seconds)`,
  'ended-early': ({ why }) => why,
  'anomalies-dropped': ({ anomalies, kept, keptOfFamily }) =>
    `${anomalies} further anomalies with new fingerprints were counted but not kept: ${kept} findings of each verdict are kept, and beyond that ${keptOfFamily} of each family`,
  'findings-listed': ({ findings }) =>
    `${findings} findings that the documents allow have one line each: one finding of each family is kept whole`,

  'slices-of-both-modes': () => 'its slices ran in both modes, stress and schedule; the mode of each finding is in its file',
  'replayed-by-slices': ({ replayed, of }) =>
    `${replayed} of ${of} findings were replayed by the slices that found them; anomalist replay finding-N.json does it for one`,
  'listed-by-slices': ({ findings }) =>
    `${findings} findings that the documents allow have one line each: slices kept other findings of their families whole`,
  'more-notes': ({ notes }) => `${notes} more notes of rounds are only in the store`,

  'schedule-cut': ({ schedule, reason }, { level }) => `${schedule} at ${level}: ${reason ?? 'it did not come to its end'}`,
  'schedule-not-bare': ({ schedule, reason }, { level }) =>
    `${schedule} at ${level} was not run without instrumentation: ${reason ?? 'it did not come to its end'}`,

  'seen-in-log': ({ times, rolledBack }) => `Seen ${times} times${rolledBack > 0 ? `, ${rolledBack} of them rolled back` : ''}.`,
  'levels-in-log': ({ levels }) => `It asked for ${levels.join(', ')}.`,
  'left-out-between': ({ statements }) => `Left out between its statements: ${statements.join(', ')}.`,
  'transaction-left-out': (data) => `Left out: ${leftOutWords(data)}.`,
  'computed-in-log': ({ column, sign, by, times, statement }) =>
    `Taken from the log: ${column} was the value written before ${sign === '-' ? 'less' : 'and'} ${by}, each of ${times} times; so it is computed from what statement ${statement} reads.`,
  'domain-guessed': ({ parameter, why }) => `Not known: the domain of :${parameter}, as ${GUESSES[why]}.`,
  'computation-not-known': ({ parameter, read }) =>
    `Not known: how the application computes :${parameter}${read === undefined ? '' : `; statement ${read.statement} reads ${read.table} before it, perhaps from that`}. Here it is drawn.`,

  text: ({ text }) => text,
};

/** Prints a note, behind the run and the round that it belongs to. */
export function noteText<C extends NoteCode>(note: Note<C>): string {
  const { run, round, level, code, data } = note as Note<C> & { readonly code: C };
  const words = WORDS[code] as (data: Note<C>['data'], note: Note<C>) => string;
  const place = round === undefined ? '' : level === undefined ? `round ${round}: ` : `round ${round}, ${level}: `;
  return `${run === undefined ? '' : `run ${run}: `}${place}${words(data, note)}`;
}

export function noteTexts(notes: readonly Note[]): readonly string[] {
  return notes.map((note) => noteText(note));
}

/** Prints the number, and the first one. */
export function unexplainedWords({ count, shown: [first] }: UnexplainedResults): string {
  const results = count === 1 ? 'result that no rule explains' : 'results that no rule explains';
  return `${count} ${results}: ${first === undefined ? '' : noteText(first)}${count > 1 ? `, and ${count - 1} more` : ''}`;
}

const GUESSES: Readonly<Record<DomainGuess, string>> = {
  'values-not-seen': 'the log does not show its values',
  'numbers-too-large': 'the numbers that were seen are too large for a range',
};

function leftOutWords(data: Note<'transaction-left-out'>['data']): string {
  if (data.why === 'all-refused') return 'each of its statements is refused';
  if (data.why === 'write-refused') return `a statement that writes or locks is refused: ${data.what}`;
  return `between its statements the log has ${data.what}, without which it is another transaction`;
}

function unexplainedResult({ transaction, statement, kind, row, table, sql }: UnexplainedResult): string {
  return `T${transaction}'s statement ${statement} (${kind}) did not return row ${row} of ${table}, although every version of it that can have been seen satisfies a condition of ${JSON.stringify(sql)}`;
}

function brokenWords({ verdict, culprit, ...why }: Note<'invariant-broken'>['data']): string {
  if (culprit === undefined) return `${verdict}: ${invariantWhy(why) ?? ''}`;
  const { transaction, name, statements, order, rows } = culprit;
  return `your transactions break it one after the other, so nothing is held against the server: run in ${order}, with nobody beside it, transaction ${transaction}${name === undefined ? '' : ` (${name})`} left ${rows}. It sends: ${statements.join('; ')}`;
}

function findingWords({ finding, anomaly }: { readonly finding: string; readonly anomaly: string }, level: string | undefined): string {
  return `${finding} (${anomaly}${level === undefined ? '' : `, ${level}`})`;
}
