/**
 * The catalogue: skeletons x worlds x forms, and the order in which its programs are tried. First two of every skeleton, since
 * a phenomenon whose skeleton has no turn is not looked for, however short the exploration. Then those that are their own
 * mirror image, all sessions reading by one form and writing by one form: of some skeletons each pair of forms. Then more
 * mirror images, then programs of two forms each; in both parts every pair of values that can occur together is covered before anything comes for the sake of chance (a covering array,
 * made greedily: of some programs drawn the one with the most new pairs). The seed decides the order. After that programs
 * are drawn at random, each once.
 */
import { InternalError } from '../../core/index.ts';
import type { Capabilities, Program, ProgramStep, ProgramTxn, Random } from '../../core/index.ts';
import { fits } from './form.ts';
import type { Form } from './form.ts';
import { READS } from './reads.ts';
import { SKELETONS } from './skeletons.ts';
import type { Skeleton } from './skeletons.ts';
import { worldRows } from './worlds.ts';
import type { ItemName, WorldRow } from './worlds.ts';
import { WRITES } from './writes.ts';

/** Sessions take the two forms of reads and of writes in turn. */
const SLOTS = ['reads 1', 'writes 1', 'reads 2', 'writes 2'] as const;
type Slot = (typeof SLOTS)[number];
const FACTORS = ['skeleton', 'world', ...SLOTS] as const;
type Factor = (typeof FACTORS)[number];
/** What each factor can be. */
type Values = Readonly<Record<Factor, readonly string[]>>;

/** Programs of each skeleton before all others. */
const OF_EACH = 2;
/** Drawn for each program that is to cover new pairs. */
const CANDIDATES = 12;
/** So many draws in a row that gave nothing new, and the catalogue is taken for exhausted. */
const EXHAUSTED = 2_000;
/** Where a skeleton has nothing for a form to do. */
const IDLE: Form = { name: '-', make: () => [] };

/** A skeleton in a world, with the forms that can stand at each of its slots. */
interface Cell {
  readonly skeleton: Skeleton;
  readonly world: WorldRow;
  readonly forms: Readonly<Record<Slot, readonly Form[]>>;
  readonly names: Values;
  /** Where all sessions take the same forms: of the first slots, for those that can stand at both. */
  readonly mirrored: Values;
}

interface Choice {
  readonly cell: Cell;
  readonly forms: Readonly<Record<Slot, Form>>;
}

export interface CatalogueOptions {
  readonly capabilities: Capabilities;
  /** Sessions can be told to take indexes. */
  readonly canForceIndexes: boolean;
}

export interface Coverage {
  /** Pairs of values of two factors. */
  readonly pairs: number;
  readonly covered: number;
}

export class Catalogue {
  /** Forms that need what the DBMS lacks. */
  readonly lacking: readonly string[];
  private readonly worlds: readonly WorldRow[];
  private readonly cells: readonly Cell[];
  private readonly random: Random;
  private readonly open: Set<string>;
  private readonly pairs: number;
  private readonly stream: Generator<Program>;

  constructor(random: Random, { capabilities, canForceIndexes }: CatalogueOptions) {
    const has = ({ needs }: Form): boolean => needs?.(capabilities) ?? true;
    this.random = random;
    this.lacking = [...READS, ...WRITES].filter((form) => !has(form)).map(({ name }) => name);
    this.worlds = worldRows(canForceIndexes);
    const forms = { reads: READS.filter(has), writes: WRITES.filter(has) };
    this.cells = SKELETONS.flatMap((skeleton) => this.worlds.map((world) => cellOf(skeleton, world, forms))).filter(({ forms: slots }) =>
      SLOTS.every((slot) => slots[slot].length > 0),
    );
    this.open = new Set(this.cells.flatMap(({ names }) => pairsOfValues(names)));
    this.pairs = this.open.size;
    this.stream = this.programs();
  }

  get allWorlds(): readonly Program['world'][] {
    return this.worlds.map(({ world }) => world);
  }

  next(): Program | undefined {
    return this.stream.next().value as Program | undefined;
  }

  /** The program that is made so: every factor but those that its skeleton leaves idle. */
  program(made: Readonly<Record<string, string>>): Program {
    const cell = this.cells.find(({ skeleton, world }) => skeleton.name === made['skeleton'] && world.world.name === made['world']);
    const lacks = FACTORS.find(
      (factor) =>
        cell === undefined ||
        (made[factor] !== undefined &&
          factor !== 'skeleton' &&
          factor !== 'world' &&
          !cell.forms[factor].some(({ name }) => name === made[factor])),
    );
    if (cell === undefined || lacks !== undefined)
      throw new InternalError(
        `the catalogue has no program made of ${JSON.stringify(made)}${cell === undefined ? '' : `: no such ${lacks}`}`,
      );
    return programOf(
      this.draw(cell, false, (slot) => made[slot]),
      0,
    );
  }

  /** A family is a skeleton and what reads in it. */
  nameOf({ made }: Program): { readonly family: string; readonly form: string } {
    const { skeleton = '', 'reads 1': one, 'reads 2': two } = made;
    return {
      family: [skeleton, [...new Set([one, two])].filter((each) => each !== undefined).join(' / ')]
        .filter((each) => each !== '')
        .join(', '),
      form: [made['world'], [...new Set([made['writes 1'], made['writes 2']])].join(' / ')].join(': '),
    };
  }

  /** Of what `next` has given so far. */
  coverage(): Coverage {
    return { pairs: this.pairs, covered: this.pairs - this.open.size };
  }

  private *programs(): Generator<Program> {
    const seen = new Set<string>();
    let number = 0;
    for (const choice of [...this.ofEach(), ...this.first()]) {
      if (seen.has(keyOf(choice))) continue;
      for (const pair of pairsOf(choice)) this.open.delete(pair);
      seen.add(keyOf(choice));
      yield programOf(choice, number++);
    }
    for (const mirrored of [true, false]) {
      const wanted = new Set(
        mirrored ? this.cells.flatMap(({ mirrored: values }) => pairsOfValues(values)).filter((pair) => this.open.has(pair)) : this.open,
      );
      while (wanted.size > 0) {
        const choice = this.greedy(wanted, mirrored);
        for (const pair of pairsOf(choice)) {
          wanted.delete(pair);
          this.open.delete(pair);
        }
        seen.add(keyOf(choice));
        yield programOf(choice, number++);
      }
    }
    for (let repeated = 0; repeated < EXHAUSTED; repeated++) {
      const choice = this.draw(this.random.pick(this.cells), this.random.chance(0.5));
      if (seen.has(keyOf(choice))) continue;
      seen.add(keyOf(choice));
      repeated = 0;
      yield programOf(choice, number++);
    }
  }

  /** Mirror images, some of every skeleton, the skeletons in turn. */
  private ofEach(): readonly Choice[] {
    return Array.from({ length: OF_EACH }, () =>
      this.random
        .shuffle(SKELETONS)
        .map((skeleton) => this.draw(this.random.pick(this.cells.filter((cell) => cell.skeleton === skeleton)), true)),
    ).flat();
  }

  /** Of the skeletons that come first, the mirror images: each way to read with each way to write, in a world where both can stand. */
  private first(): readonly Choice[] {
    return SKELETONS.filter(({ first }) => first === true).flatMap((skeleton) => {
      const cells = this.cells.filter((cell) => cell.skeleton === skeleton);
      const names = (slot: Slot): readonly string[] => [...new Set(cells.flatMap(({ mirrored }) => mirrored[slot]))];
      const made = names('reads 1').flatMap((reads) => names('writes 1').map((writes) => ({ reads, writes })));
      return this.random.shuffle(made).flatMap(({ reads, writes }) => {
        const able = cells.filter(({ mirrored }) => mirrored['reads 1'].includes(reads) && mirrored['writes 1'].includes(writes));
        return able.length === 0 ? [] : [this.draw(this.random.pick(able), true, (slot) => (slot.startsWith('reads') ? reads : writes))];
      });
    });
  }

  /** Covers one pair that is wanted for certain, and as many as some draws allow. */
  private greedy(wanted: ReadonlySet<string>, mirrored: boolean): Choice {
    const [must] = wanted;
    let best: Choice | undefined;
    let most = 0;
    for (let i = 0; i < CANDIDATES; i++) {
      const choice = i === 0 ? this.covering(must!, mirrored) : this.draw(this.random.pick(this.cells), mirrored);
      const gain = choice === undefined ? 0 : pairsOf(choice).filter((pair) => wanted.has(pair)).length;
      if (gain <= most) continue;
      most = gain;
      best = choice;
    }
    return best!;
  }

  private covering(pair: string, mirrored: boolean): Choice {
    const values = JSON.parse(pair) as readonly (readonly [Factor, string])[];
    const valueOf = (factor: Factor): string | undefined => values.find(([name]) => name === factor)?.[1];
    const able = this.cells.filter((cell) =>
      values.every(([factor, value]) => (mirrored ? cell.mirrored : cell.names)[factor].includes(value)),
    );
    return this.draw(this.random.pick(able), mirrored, valueOf);
  }

  private draw(cell: Cell, mirrored: boolean, given: (slot: Slot) => string | undefined = () => undefined): Choice {
    const forms = {} as Record<Slot, Form>;
    for (const slot of SLOTS) forms[slot] = cell.forms[slot].find(({ name }) => name === given(slot)) ?? this.random.pick(cell.forms[slot]);
    if (mirrored) for (const [one, two] of MIRRORED) mirror(cell, forms, one, two, given(two) !== undefined && given(one) === undefined);
    return { cell, forms };
  }
}

const MIRRORED = [
  ['reads 1', 'reads 2'],
  ['writes 1', 'writes 2'],
] as const;

/** The forms of both slots alike, where both can stand there. */
function mirror(cell: Cell, forms: Record<Slot, Form>, one: Slot, two: Slot, fromSecond: boolean): void {
  const [from, to] = fromSecond ? [two, one] : [one, two];
  if (cell.forms[to].includes(forms[from])) forms[to] = forms[from];
}

interface Op {
  readonly kind: 'r' | 'w';
  readonly item: ItemName;
}

function opsOf(session: string): { readonly ops: readonly Op[]; readonly end: ProgramTxn['end'] } {
  const words = session.split(' ');
  const ops = words.filter((word) => word !== '!').map((word): Op => ({ kind: word[0] as Op['kind'], item: word[1] as ItemName }));
  return { ops, end: words.includes('!') ? 'rollback' : 'commit' };
}

function slotOf({ kind }: Op, session: number): Slot {
  return `${kind === 'r' ? 'reads' : 'writes'} ${session % 2 === 0 ? 1 : 2}`;
}

function cellOf(skeleton: Skeleton, world: WorldRow, all: { readonly reads: readonly Form[]; readonly writes: readonly Form[] }): Cell {
  const able = (slot: Slot): readonly Form[] => {
    const items = skeleton.sessions.flatMap((session, s) =>
      opsOf(session)
        .ops.filter((op) => slotOf(op, s) === slot)
        .map(({ item }) => world.items[item]),
    );
    return items.length === 0
      ? [IDLE]
      : (slot.startsWith('reads') ? all.reads : all.writes).filter((form) => items.every((item) => fits(form, world, item)));
  };
  const forms = { 'reads 1': able('reads 1'), 'writes 1': able('writes 1'), 'reads 2': able('reads 2'), 'writes 2': able('writes 2') };
  const alike = (one: Slot, two: Slot): readonly string[] =>
    namesOf(forms[one].filter((form) => forms[two].includes(form) || forms[two].includes(IDLE)));
  const common = { skeleton: [skeleton.name], world: [world.world.name] };
  return {
    skeleton,
    world,
    forms,
    names: {
      ...common,
      'reads 1': namesOf(forms['reads 1']),
      'writes 1': namesOf(forms['writes 1']),
      'reads 2': namesOf(forms['reads 2']),
      'writes 2': namesOf(forms['writes 2']),
    },
    mirrored: {
      ...common,
      'reads 1': alike('reads 1', 'reads 2'),
      'writes 1': alike('writes 1', 'writes 2'),
      'reads 2': [],
      'writes 2': [],
    },
  };
}

function namesOf(forms: readonly Form[]): readonly string[] {
  return forms.filter((form) => form !== IDLE).map(({ name }) => name);
}

function valuesOf({ cell, forms }: Choice): readonly (readonly [Factor, string])[] {
  return FACTORS.map((factor) => [
    factor,
    factor === 'skeleton' ? cell.skeleton.name : factor === 'world' ? cell.world.world.name : forms[factor].name,
  ]);
}

function pairsOf(choice: Choice): readonly string[] {
  const values = valuesOf(choice).filter(([, value]) => value !== IDLE.name);
  return values.flatMap((one, i) => values.slice(i + 1).map((other) => JSON.stringify([one, other])));
}

function pairsOfValues(values: Values): readonly string[] {
  return FACTORS.flatMap((a, i) =>
    FACTORS.slice(i + 1).flatMap((b) =>
      values[a].flatMap((one) =>
        values[b].map((other) =>
          JSON.stringify([
            [a, one],
            [b, other],
          ]),
        ),
      ),
    ),
  );
}

function keyOf(choice: Choice): string {
  return JSON.stringify(valuesOf(choice));
}

function programOf({ cell, forms }: Choice, number: number): Program {
  const { world } = cell.world;
  const transactions = cell.skeleton.sessions.map((session, s): ProgramTxn => {
    const { ops, end } = opsOf(session);
    return { steps: ops.flatMap((op, n) => stepsOf(forms[slotOf(op, s)], cell.world, op, 100 * (s + 1) + 10 * n)), end };
  });
  return { number, made: Object.fromEntries(valuesOf({ cell, forms }).filter(([, value]) => value !== IDLE.name)), world, transactions };
}

function stepsOf(form: Form, world: WorldRow, { item }: Op, own: number): readonly ProgramStep[] {
  const made = form.make({ item: world.items[item], world, own });
  const tables = [world.items[item].table, world.log];
  return ('kind' in made ? [made] : made).map((statement) => ({
    statement,
    tables: form.plain ? tables.slice(0, 1) : tables,
    plainRead: form.plain === true,
  }));
}
