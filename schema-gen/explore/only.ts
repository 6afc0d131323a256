/**
 * Cuts a catalogue by words. It keeps, of each kind (skeletons, fixtures, ways to read, ways to write), those whose
 * name contains one of the words. It keeps all of a kind in which nothing is named. New forms can be explored by
 * themselves that way.
 */
import { UsageError } from '../../core/base/index.ts';
import { skeletonSlots } from './skeleton-slots.ts';
import type { SkeletonSlots, Way } from './skeleton-slots.ts';
import type { FixtureRow } from './item.ts';
import type { Offer } from './offer.ts';
import { ApplicableForms } from './applicable-forms.ts';
import type { Forms } from './applicable-forms.ts';

interface Named {
  readonly name: string;
}

export interface CutCatalogue {
  readonly fixtures: readonly FixtureRow[];
  readonly forms: Forms;
  readonly candidates: readonly SkeletonSlots[];
}

/**
 * Cuts nothing if there is no word. One word may name fixtures and forms that cannot stand in them. Each kind is then
 * cut by itself, and a program has one of the things that it names.
 */
export function cutTo(offer: Offer, words: readonly string[]): CutCatalogue {
  const all = cutKinds(offer, words, () => true);
  if (all.candidates.length > 0 || words.length !== 1) return all;
  const apart = CUT.filter((kind) => offer[kind].some((each) => isNamed(each, words))).map((kind) =>
    cutKinds(offer, words, (each) => each === kind),
  );
  const candidates = apart.flatMap((one) => one.candidates).filter((candidate) => words.some((word) => isIn(candidate, word)));
  const fixtures = new Set(candidates.map(({ fixture }) => fixture));
  return { fixtures: offer.fixtures.map(({ row }) => row).filter((row) => fixtures.has(row)), forms: offer, candidates };
}

const CUT = ['skeletons', 'fixtures', 'reads', 'writes', 'changes', 'begins', 'sends'] as const satisfies readonly (keyof Offer)[];
type Kind = (typeof CUT)[number];

function cutKinds(offer: Offer, words: readonly string[], isCut: (kind: Kind) => boolean): CutCatalogue {
  const of = (kind: Kind): readonly string[] => (isCut(kind) ? words : []);
  const fixtures = onlyNamed(offer.fixtures, of('fixtures')).map(({ row }) => row);
  const forms = {
    reads: onlyNamed(offer.reads, of('reads')),
    writes: onlyNamed(offer.writes, of('writes')),
    changes: onlyNamed(offer.changes, of('changes')),
  };
  const begins = offer.begins.filter((each) => isNamed(each, of('begins')));
  const sends = offer.sends.filter((each) => isNamed(each, of('sends')));
  const named: readonly Way[] = [...begins.map((begin) => ({ begin })), ...sends.map((send) => ({ send }))];
  const applicable = new Map(fixtures.map((fixture) => [fixture, new ApplicableForms(fixture, forms)]));
  const candidates = onlyNamed(offer.skeletons, of('skeletons')).flatMap((skeleton) =>
    [...applicable].flatMap(([fixture, able]) =>
      waysIn(fixture, offer, named).flatMap((way) => skeletonSlots(skeleton, fixture, able, way) ?? []),
    ),
  );
  return { fixtures, forms, candidates };
}

/** Returns those whose name has one of the words in it, or all if none has. */
export function onlyNamed<T extends Named>(all: readonly T[], words: readonly string[]): readonly T[] {
  const named = all.filter((each) => isNamed(each, words));
  return named.length === 0 ? all : named;
}

export function isNamed({ name }: Named, words: readonly string[]): boolean {
  return words.some((word) => name.includes(word));
}

/**
 * Returns the begin modes and protocols of a fixture's programs. A program has another begin mode or another protocol,
 * never both. If `named` is not empty, only these are taken.
 */
function waysIn(fixture: FixtureRow, { begins, sends }: Offer, named: readonly Way[]): readonly Way[] {
  if (fixture.begins !== true) return named.length > 0 ? [] : [{}];
  return named.length > 0 ? named : [{}, ...begins.map((begin) => ({ begin })), ...sends.map((send) => ({ send }))];
}

/** The names of the kinds in messages. */
const TITLES: Readonly<Record<Kind, string>> = {
  skeletons: 'skeletons',
  fixtures: 'fixtures',
  reads: 'ways to read',
  writes: 'ways to write',
  changes: 'changes of a table',
  begins: 'begin modes',
  sends: 'protocols',
};

/** The number of names of one kind that a message shows, and of words that it proposes. */
const SHOWN = 3;

/** Throws unless each word names something that some program has. `candidates` are those of all words. */
export function expectPrograms(offer: Offer, words: readonly string[], candidates: readonly SkeletonSlots[]): void {
  const all = CUT.map((kind) => [TITLES[kind], offer[kind] as readonly Named[]] as const);
  const unknown = words.find((word) => !all.some(([, named]) => named.some(({ name }) => name.includes(word))));
  if (unknown !== undefined)
    throw new UsageError(
      `--only ${unknown}: no skeleton, fixture or form that the server supports has this word in its name; expected a word of a name in docs/EXPLORE.md.`,
    );
  const idle = words.find((word) => !candidates.some((candidate) => isIn(candidate, word)));
  if (idle === undefined) return;
  const hits = all.flatMap(([title, named]) => {
    const names = named.filter((each) => isNamed(each, words)).map(({ name }) => name);
    return names.length === 0 ? [] : [`${title}: ${shown(names)}`];
  });
  const goes = proposals(
    offer,
    all.flatMap(([, named]) => named.filter((each) => isNamed(each, [idle]))),
  );
  const whose = words.length === 1 ? 'the part that this word names' : `the part that ${idle} names together with those of the other words`;
  throw new UsageError(
    `${words.map((word) => `--only ${word}`).join(' ')}: no program has ${whose}, because it fits none of the remaining fixtures and skeletons (${hits.join('; ')}); ${goes.length === 0 ? 'expected other words' : `expected fewer words, or a more precise one, such as ${shown(goes)}`}.`,
  );
}

/** Returns whole names, each of which is a valid word. */
function proposals(offer: Offer, named: readonly Named[]): readonly string[] {
  const goes: string[] = [];
  for (const { name } of named) {
    if (goes.length === SHOWN) break;
    if (cutTo(offer, [name]).candidates.some((candidate) => isIn(candidate, name))) goes.push(name);
  }
  return goes;
}

function isIn({ names }: SkeletonSlots, word: string): boolean {
  return Object.values(names).some((of) => [...of].some((name) => name.includes(word)));
}

function shown(names: readonly string[]): string {
  const some = names.slice(0, SHOWN).map((name) => `"${name}"`);
  return `${some.join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
}
