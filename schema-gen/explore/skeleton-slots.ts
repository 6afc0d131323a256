/** A skeleton in a fixture: the forms that can stand at each of its places, and the program that some of them make. */
import type { Program, ProgramTxn, Statement } from '../../core/index.ts';
import type { Begin } from './begins.ts';
import { statementsOf } from './form.ts';
import type { Form } from './form.ts';
import type { Send } from './sends.ts';
import type { Skeleton } from './skeletons.ts';
import { IDLE, NOTHING } from './applicable-forms.ts';
import type { Forms, Place, ApplicableForms } from './applicable-forms.ts';
import { stepOf } from './step.ts';
import type { ItemName, FixtureRow } from './item.ts';

/**
 * The sessions of a skeleton alternate between form 1 and form 2, of reads and of writes. A session that changes tables
 * uses the one form of changes.
 */
export const SLOTS = ['reads 1', 'writes 1', 'reads 2', 'writes 2', 'change'] as const;
export type Slot = (typeof SLOTS)[number];
/** The slots whose forms are equal if a program is its own mirror image. */
export const MIRRORED = [
  ['reads 1', 'reads 2'],
  ['writes 1', 'writes 2'],
] as const;

/** An absent field means the plain way. */
export interface Way {
  readonly begin?: Begin;
  readonly send?: Send;
}

export interface SkeletonSlots {
  readonly skeleton: Skeleton;
  readonly fixture: FixtureRow;
  readonly way: Way;
  /** The forms that can stand at each slot. */
  readonly forms: Readonly<Record<Slot, readonly Form[]>>;
  /** The values that each factor can take. */
  readonly names: Names;
  /**
   * The values if all sessions take the same forms. The first slots have the forms that can stand at both, the second
   * ones have none of their own.
   */
  readonly mirrored: Names;
}

export type Factor = 'skeleton' | 'world' | 'begin' | 'send' | Slot;
type Names = Readonly<Record<Factor, ReadonlySet<string>>>;

export interface Choice {
  readonly candidate: SkeletonSlots;
  readonly forms: Readonly<Record<Slot, Form>>;
}

interface Op {
  readonly kind: 'r' | 'w' | 'c';
  readonly item: ItemName;
}

interface Session {
  readonly ops: readonly Op[];
  readonly end: ProgramTxn['end'];
  readonly autocommit: boolean;
  readonly after: number | undefined;
}

function sessionOf(text: string, session: number): Session {
  const [autocommit, behind] = [text.startsWith('~'), text.startsWith('>')];
  const words = text.slice(autocommit || behind ? 1 : 0).split(' ');
  const ops = words.filter((word) => word !== '!').map((word): Op => ({ kind: word[0] as Op['kind'], item: word[1] as ItemName }));
  return { ops, end: words.includes('!') ? 'rollback' : 'commit', autocommit, after: behind ? session - 1 : undefined };
}

function slotOf({ kind }: Op, session: number): Slot {
  if (kind === 'c') return 'change';
  return `${kind === 'r' ? 'reads' : 'writes'} ${session % 2 === 0 ? 1 : 2}`;
}

const KINDS: { readonly [S in Slot]: keyof Forms } = {
  'reads 1': 'reads',
  'writes 1': 'writes',
  'reads 2': 'reads',
  'writes 2': 'writes',
  change: 'changes',
};

/** Returns undefined if nothing can stand at one of the slots. */
export function skeletonSlots(skeleton: Skeleton, fixture: FixtureRow, applicable: ApplicableForms, way: Way): SkeletonSlots | undefined {
  const sessions = skeleton.sessions.map(sessionOf);
  const { begin } = way;
  if (begin !== undefined && !sessions.some((session) => beginsSo(session, begin))) return undefined;
  const able = (slot: Slot): readonly Form[] => {
    const places = sessions.flatMap((session, s) => {
      const plain = begin?.of === 'readers' && beginsSo(session, begin);
      return session.ops.filter((op) => slotOf(op, s) === slot).map(({ item }): Place => ({ item, autocommit: session.autocommit, plain }));
    });
    return places.length === 0 ? NOTHING : applicable.at(KINDS[slot], places);
  };
  const forms = Object.fromEntries(SLOTS.map((slot) => [slot, able(slot)])) as Record<Slot, readonly Form[]>;
  if (SLOTS.some((slot) => forms[slot].length === 0)) return undefined;
  const alikeAt = (slot: Slot): readonly Form[] => {
    const two = MIRRORED.find(([one]) => one === slot)?.[1];
    return two === undefined ? [] : applicable.alike(forms[slot], forms[two]);
  };
  const namesBy = (formsAt: (slot: Slot) => readonly Form[]): Names => {
    const names = Object.fromEntries(SLOTS.map((slot) => [slot, applicable.namesOf(formsAt(slot))])) as Record<Slot, ReadonlySet<string>>;
    const own = ({ name }: { readonly name?: string } = {}): ReadonlySet<string> => new Set(name === undefined ? [] : [name]);
    return { skeleton: own(skeleton), world: own(fixture.fixture), begin: own(begin), send: own(way.send), ...names };
  };
  return { skeleton, fixture, way, forms, names: namesBy((slot) => forms[slot]), mirrored: namesBy(alikeAt) };
}

function beginsSo({ ops, autocommit }: Session, { of }: Begin): boolean {
  return !autocommit && (of === 'all' || ops.every(({ kind }) => kind === 'r'));
}

const BEGUN: Statement = { kind: 'savepoint', name: 'begun' };

export function programOf({ candidate, forms }: Choice, number: number): Program {
  const { items, fixture } = candidate.fixture;
  const transactions = candidate.skeleton.sessions.map((text, s): ProgramTxn => {
    const session = sessionOf(text, s);
    const { ops, end, autocommit } = session;
    const steps = ops.flatMap((op, n) =>
      statementsOf(forms[slotOf(op, s)], { item: items[op.item], fixture: candidate.fixture, own: 100 * (s + 1) + 10 * n }).map(
        (statement) => stepOf(statement, fixture),
      ),
    );
    const { begin, send } = candidate.way;
    const more = { ...(send && { send: send.name }), ...(session.after !== undefined && { after: session.after }) };
    if (begin === undefined || !beginsSo(session, begin)) return { steps, end, ...(autocommit && { autocommit }), ...more };
    return { steps: begin.own ? [stepOf(BEGUN, fixture), ...steps] : steps, end, begin: begin.name, ...more };
  });
  return { number, made: madeOf({ candidate, forms }), fixture, transactions };
}

/** Returns every factor except those that the skeleton leaves idle. */
export function madeOf({ candidate: { skeleton, fixture, way }, forms }: Choice): Readonly<Record<string, string>> {
  return {
    skeleton: skeleton.name,
    world: fixture.fixture.name,
    ...(way.begin && { begin: way.begin.name }),
    ...(way.send && { send: way.send.name }),
    ...Object.fromEntries(SLOTS.filter((slot) => forms[slot] !== IDLE).map((slot) => [slot, forms[slot].name])),
  };
}
