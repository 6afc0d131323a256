/**
 * The catalogue: skeletons x fixtures x forms, and the order in which its programs are tried. First come two of every
 * skeleton, since a skeleton without a turn leaves its phenomenon untested, however short the exploration. Then comes
 * every way to read and every way to write once in each `first` skeleton, with the same forms for all sessions where
 * possible. Skeletons with a bystander follow, and those that were computed. Then one skeleton takes every way to read with each of a few ways to
 * write.
 *
 * Next come more mirror images, then programs of two forms each. Both parts cover every pair of values that can occur
 * together before any random program (a greedy covering array: of several drawn programs, the one with the most new
 * pairs). The seed decides the order. After that programs are drawn at random, each once.
 */
import { InternalError, isInShard } from '../../core/base/index.ts';
import type { Random, Shard } from '../../core/base/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import type { Program } from '../../core/program/index.ts';
import { formsAlone } from './alone.ts';
import type { FormAlone } from './alone.ts';
import { MIRRORED, SLOTS, madeOf, programOf } from './skeleton-slots.ts';
import type { SkeletonSlots, Choice, Factor, Slot } from './skeleton-slots.ts';
import type { Form } from './form.ts';
import { offeredBy } from './offer.ts';
import { cutTo, expectPrograms } from './only.ts';
import { FACTORS, Pairs } from './pairs.ts';
import type { Pair } from './pairs.ts';
import { PairMatrix } from './pair-matrix/pair-matrix.ts';
import { CATALOGUE_SETS } from './catalogue-sets.ts';
import type { CatalogueName } from './catalogue-sets.ts';
import type { Skeleton } from './skeletons.ts';
import { IDLE } from './applicable-forms.ts';
import type { Forms } from './applicable-forms.ts';
import type { FixtureRow } from './item.ts';

/** The number of programs of each skeleton before all others. */
const OF_EACH = 2;
/** The number of programs drawn to find one that covers new pairs. */
const CANDIDATES = 12;
/** After this many draws in a row without a new program, the catalogue counts as exhausted. */
const EXHAUSTED = 2_000;

export interface CatalogueOptions {
  /** The set that it is made of. The default is transactions alone. */
  readonly catalogueSet?: CatalogueName;
  readonly capabilities: Capabilities;
  /** Sessions can be told to use indexes. */
  readonly canForceIndexes: boolean;
  /** Words that restrict each kind for which they name something (only.ts). The default is everything. */
  readonly only?: readonly string[];
  /** Takes every n-th program, numbered as without a shard. */
  readonly shard?: Shard | undefined;
  /** The number of the first program, by default 0. */
  readonly from?: number | undefined;
}

export interface Coverage {
  /** The number of pairs of values of two factors. */
  readonly pairs: number;
  readonly covered: number;
}

/**
 * Returns the forms and fixtures that a catalogue leaves out because the DBMS lacks what they need, without making its
 * programs.
 */
export function lackingOn({
  catalogueSet = 'transactions',
  capabilities,
  canForceIndexes,
}: Pick<CatalogueOptions, 'catalogueSet' | 'capabilities' | 'canForceIndexes'>): readonly string[] {
  return offeredBy(CATALOGUE_SETS[catalogueSet], capabilities, canForceIndexes).lacking;
}

/** A value that a factor can take. */
type Value = readonly [factor: Factor, name: string];

export class Catalogue {
  /** Forms and fixtures that need a feature that the DBMS lacks. */
  readonly lacking: readonly string[];
  /** All other forms. */
  private readonly forms: Forms;
  private readonly skeletons: readonly Skeleton[];
  private readonly fixtures: readonly FixtureRow[];
  private readonly candidates: readonly SkeletonSlots[];
  private readonly byValue = new Map<string, readonly SkeletonSlots[]>();
  private readonly random: Random;
  private readonly pairs = new Pairs();
  private readonly possible: ReadonlySet<Pair>;
  /** The pairs of no program so far, whichever worker runs it. */
  private readonly open: Set<Pair>;
  /** The pairs of the programs that `next` has returned. */
  private readonly given = new Set<Pair>();
  private number = 0;
  private readonly shard: Shard | undefined;
  private readonly from: number;
  private readonly stream: Generator<Choice>;

  constructor(
    random: Random,
    { catalogueSet = 'transactions', capabilities, canForceIndexes, only = [], shard, from = 0 }: CatalogueOptions,
  ) {
    const offer = offeredBy(CATALOGUE_SETS[catalogueSet], capabilities, canForceIndexes);
    this.random = random;
    this.shard = shard;
    this.from = from;
    this.lacking = offer.lacking;
    const cut = cutTo(offer, only);
    expectPrograms(offer, only, cut.candidates);
    this.fixtures = cut.fixtures;
    this.forms = cut.forms;
    this.skeletons = offer.skeletons;
    this.candidates = cut.candidates;
    this.possible = this.pairs.of(this.candidates, false);
    this.open = new Set(this.possible);
    this.stream = this.programs();
  }

  get allFixtures(): readonly Program['fixture'][] {
    return this.fixtures.map(({ fixture }) => fixture);
  }

  next(): Program | undefined {
    for (;;) {
      const choice = this.stream.next().value as Choice | undefined;
      if (choice === undefined) return undefined;
      const number = this.number++;
      if (number < this.from || !isInShard(this.shard, number)) continue;
      for (const pair of this.pairs.in(choice)) if (this.possible.has(pair)) this.given.add(pair);
      return programOf(choice, number);
    }
  }

  /** Returns the program with these values of every factor but those that its skeleton leaves idle. */
  program(made: Readonly<Record<string, string>>): Program {
    const candidate = this.candidates.find(
      ({ skeleton, fixture, way: { begin, send } }) =>
        skeleton.name === made['skeleton'] &&
        fixture.fixture.name === made['world'] &&
        begin?.name === made['begin'] &&
        send?.name === made['send'],
    );
    const lacks = FACTORS.find(
      (factor) => candidate === undefined || (made[factor] !== undefined && !candidate.names[factor].has(made[factor])),
    );
    if (candidate === undefined || lacks !== undefined)
      throw new InternalError(
        `the catalogue has no program made of ${JSON.stringify(made)}${candidate === undefined ? '' : `: no such ${lacks}`}`,
      );
    return programOf(
      this.draw(candidate, false, (slot) => made[slot]),
      0,
    );
  }

  /** A family is a skeleton with its begin mode or protocol, its ways to read, and its way to change a table. */
  nameOf({ made }: Program): { readonly family: string; readonly form: string } {
    const { skeleton = '', begin, send, 'reads 1': one, 'reads 2': two, change = '' } = made;
    return {
      family: [change, skeleton, begin ?? send ?? '', [...new Set([one, two])].filter((each) => each !== undefined).join(' / ')]
        .filter((each) => each !== '')
        .join(', '),
      form: [made['world'], [...new Set([made['writes 1'], made['writes 2']])].join(' / ')].join(': '),
    };
  }

  /** Returns the matrix of its looks and changes, in its fixtures. */
  pairMatrix(): PairMatrix {
    return new PairMatrix(this.random.fork('pairs'), this.forms, this.fixtures);
  }

  /** Yields each form by itself, wherever it can stand. */
  alone(): Generator<FormAlone> {
    return formsAlone(this.forms, this.fixtures);
  }

  /** Returns the coverage of the programs that `next` has returned so far. */
  coverage(): Coverage {
    return { pairs: this.possible.size, covered: this.given.size };
  }

  /** Returns a bit for each pair. The order is the same for the same catalogue. */
  coveredPairs(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.possible.size / 8));
    for (const [i, pair] of [...this.possible].entries()) if (this.given.has(pair)) bits[i >> 3]! |= 1 << (i & 7);
    return bits;
  }

  private *programs(): Generator<Choice> {
    const seen = new Set<string>();
    for (const choice of this.ordered()) {
      if (seen.has(keyOf(choice))) continue;
      for (const pair of this.pairs.in(choice)) this.open.delete(pair);
      seen.add(keyOf(choice));
      yield choice;
    }
    for (const mirrored of [true, false]) {
      const left = mirrored ? [...this.pairs.of(this.candidates, true)].filter((pair) => this.open.has(pair)) : [...this.open];
      const wanted = new Set(this.random.shuffle(left));
      while (wanted.size > 0) {
        const choice = this.greedy(wanted, mirrored);
        for (const pair of this.pairs.in(choice)) {
          wanted.delete(pair);
          this.open.delete(pair);
        }
        seen.add(keyOf(choice));
        yield choice;
      }
    }
    for (let repeated = 0; repeated < EXHAUSTED; repeated++) {
      const choice = this.draw(this.random.pick(this.candidates), this.random.chance(0.5));
      if (seen.has(keyOf(choice))) continue;
      seen.add(keyOf(choice));
      repeated = 0;
      yield choice;
    }
  }

  /** Returns the programs before all that are drawn to cover pairs. */
  private ordered(): readonly Choice[] {
    const [alone, beside, derived] = (['alone', 'beside', 'derived'] as const).map((sort) =>
      this.skeletons.filter((skeleton) => sortOf(skeleton) === sort),
    );
    return [
      ...this.ofEach(alone!, OF_EACH),
      ...this.ofForms(),
      ...this.ofEach(beside!, 1),
      ...this.ofEach(derived!, 1),
      ...this.ofPartners(),
    ];
  }

  /** Returns mirror images, some of every skeleton that has programs, the skeletons in turn. */
  private ofEach(some: readonly Skeleton[], count: number): readonly Choice[] {
    const able = new Set(this.candidates.map(({ skeleton }) => skeleton));
    const skeletons = some.filter((skeleton) => able.has(skeleton));
    return Array.from({ length: count }, () =>
      this.random
        .shuffle(skeletons)
        .map((skeleton) => this.draw(this.random.pick(this.candidates.filter((candidate) => candidate.skeleton === skeleton)), true)),
    ).flat();
  }

  /**
   * Returns, for each `first` skeleton, as many programs as there are ways to read or to write, so that each occurs.
   */
  private ofForms(): readonly Choice[] {
    return this.skeletons
      .filter(({ first }) => first === true)
      .flatMap((skeleton) => {
        const candidates = this.candidates.filter((candidate) => candidate.skeleton === skeleton);
        const reads = this.random.shuffle(this.forms.reads);
        const writes = this.random.shuffle(this.forms.writes);
        return Array.from({ length: Math.max(reads.length, writes.length) }, (_, i) => {
          const wanted = { reads: reads[i % reads.length]!.name, writes: writes[i % writes.length]!.name };
          const both = this.withForms(candidates, wanted);
          const apart =
            both === undefined ? [{ reads: wanted.reads }, { writes: wanted.writes }].map((one) => this.withForms(candidates, one)) : [];
          return [both, ...apart].filter((choice) => choice !== undefined);
        }).flat();
      });
  }

  /** Returns every way to read with one partner, then with the next one. */
  private ofPartners(): readonly Choice[] {
    const candidates = this.candidates.filter(({ skeleton }) => skeleton.partners === true);
    const partners = this.random.shuffle(this.forms.writes.filter(({ partner }) => partner === true));
    const reads = this.random.shuffle(this.forms.reads);
    return partners.flatMap((_, turn) =>
      reads.flatMap(
        (read, i) => this.withForms(candidates, { reads: read.name, writes: partners[(i + turn) % partners.length]!.name }) ?? [],
      ),
    );
  }

  /**
   * Makes the program in a fixture where these can stand, for all sessions if there is one. Returns undefined if they
   * can stand in none.
   */
  private withForms(
    candidates: readonly SkeletonSlots[],
    wanted: Readonly<Partial<Record<'reads' | 'writes', string>>>,
  ): Choice | undefined {
    const kinds = Object.keys(wanted) as (keyof typeof wanted)[];
    for (const mirrored of [true, false]) {
      const slotIn = (candidate: SkeletonSlots, kind: keyof typeof wanted): Slot | undefined =>
        SLOTS.find((slot) => slot.startsWith(kind) && (mirrored ? candidate.mirrored : candidate.names)[slot].has(wanted[kind]!));
      const able = candidates.filter((candidate) => kinds.every((kind) => slotIn(candidate, kind) !== undefined));
      if (able.length === 0) continue;
      const candidate = this.random.pick(able);
      const slots = new Map(kinds.map((kind) => [slotIn(candidate, kind), wanted[kind]]));
      return this.draw(candidate, true, (slot) => slots.get(slot));
    }
    return undefined;
  }

  /** Makes a program that covers one wanted pair, and as many further pairs as some draws allow. */
  private greedy(wanted: ReadonlySet<Pair>, mirrored: boolean): Choice {
    const [must] = wanted;
    let best: Choice | undefined;
    let most = 0;
    for (let i = 0; i < CANDIDATES; i++) {
      const choice = i === 0 ? this.covering(must!, mirrored) : this.draw(this.random.pick(this.candidates), mirrored);
      const gain = this.pairs.in(choice).filter((pair) => wanted.has(pair)).length;
      if (gain <= most) continue;
      most = gain;
      best = choice;
    }
    return best!;
  }

  private covering(pair: Pair, mirrored: boolean): Choice {
    const values = this.pairs.valuesOf(pair);
    // The value that fewer candidates can have is used as the index. Only those candidates are asked for the other one.
    const [few, many] = [...values].toSorted((a, b) => this.candidatesWith(a, mirrored).length - this.candidatesWith(b, mirrored).length);
    const able = this.candidatesWith(few!, mirrored).filter((candidate) => canHave(candidate, many!, mirrored));
    return this.draw(this.random.pick(able), mirrored, (slot) => values.get(slot));
  }

  /**
   * Returns the candidates in their order, computed once a value. There are thousands of candidates, and a covering
   * program asks for two values.
   */
  private candidatesWith(value: Value, mirrored: boolean): readonly SkeletonSlots[] {
    const key = `${mirrored} ${value.join(' ')}`;
    let candidates = this.byValue.get(key);
    if (candidates === undefined)
      this.byValue.set(key, (candidates = this.candidates.filter((candidate) => canHave(candidate, value, mirrored))));
    return candidates;
  }

  private draw(candidate: SkeletonSlots, mirrored: boolean, given: (slot: Slot) => string | undefined = () => undefined): Choice {
    const forms = {} as Record<Slot, Form>;
    for (const slot of SLOTS) {
      const able = candidate.forms[slot];
      const wanted = given(slot);
      const found = wanted === undefined ? undefined : able.find(({ name }) => name === wanted);
      // Nothing is drawn for a slot that a whole catalogue set lacks. Its programs therefore depend on their seed
      // alone, whatever other sets exist.
      forms[slot] = slot === 'change' && able[0] === IDLE ? IDLE : (found ?? this.random.pick(able));
    }
    if (mirrored)
      for (const [one, two] of MIRRORED) mirror(candidate, forms, one, two, given(two) !== undefined && given(one) === undefined);
    return { candidate, forms };
  }
}

function sortOf({ bystander, derived }: Skeleton): 'alone' | 'beside' | 'derived' {
  return derived === true ? 'derived' : bystander === true ? 'beside' : 'alone';
}

function canHave(candidate: SkeletonSlots, [factor, name]: Value, mirrored: boolean): boolean {
  return (mirrored ? candidate.mirrored : candidate.names)[factor].has(name);
}

/** Makes the forms of both slots equal, if both can stand there. */
function mirror(candidate: SkeletonSlots, forms: Record<Slot, Form>, one: Slot, two: Slot, fromSecond: boolean): void {
  const [from, to] = fromSecond ? [two, one] : [one, two];
  if (candidate.forms[to].includes(forms[from])) forms[to] = forms[from];
}

function keyOf(choice: Choice): string {
  return JSON.stringify(madeOf(choice));
}
