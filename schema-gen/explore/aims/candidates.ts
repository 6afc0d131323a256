/**
 * Draws values of all parameters under which transactions meet in one way, from the current rows. The parameters that
 * meet are chosen first. Some of the others take values related to those chosen already (the member with its
 * organization), and the rest are drawn freely.
 */
import { boundStatements } from '../../workload-file/instantiate.ts';
import type { Parameter } from '../../workload-file/parameter.ts';
import type { BoundValue, Random, Value } from '../../../core/index.ts';
import { loosely, readValue } from '../../../core/index.ts';
import type { Marks, Reach } from './reach.ts';
import { declaredIn } from './joint-reads.ts';
import type { JointReads } from './joint-reads.ts';
import { meetInRange, rangeWaysOf } from './range-ways.ts';
import { valueKeys } from './value-keys.ts';
import type { Meeting, RangeMeeting, Way } from './way.ts';

/** A record for each session, which maps the key of a parameter to its value. */
export type Values = readonly Readonly<Record<string, Value>>[];

export interface CandidateOptions {
  readonly joint: JointReads;
  readonly reach: Reach;
  readonly random: Random;
  /** Returns the first number of `unique` of each session. */
  readonly firstUnique: (session: number) => number;
  /**
   * The keys of rows that were made. It maps a class to values that a parameter of rows may take beside those of the
   * file.
   */
  readonly made?: ReadonlyMap<string, readonly Value[]>;
  readonly most: number;
}

/** The number of values of a domain that are examined. */
const MOST_VALUES = 300;
/** The number of values that are no key of a row. */
const MOST_DRAWN = 40;
/** The number of draws for one candidate. */
const ATTEMPTS = 6;
/** The chance that a free parameter takes a value related to the others. */
const COHERENT = 0.6;
const SHARED = 0.2;
/** The chance that values of a range are drawn close to one another, and that rows of one group come first. */
const NEAR = 0.75;

export function candidatesFor(way: Way, options: CandidateOptions): readonly Values[] {
  const found = new Map<string, Values>();
  const picker = new Picker(options);
  if (!picker.canMeet(way)) return [];
  for (let i = 0; i < options.most * ATTEMPTS && found.size < options.most; i++) {
    const values = picker.values(way);
    if (values === undefined) continue;
    const key = JSON.stringify(values);
    if (!found.has(key)) found.set(key, values);
  }
  return [...found.values()];
}

type Chosen = Map<string, Value>;
type Sessions = JointReads['sessions'];

interface SoFar {
  /** The marks of the values that were chosen so far in the same session. */
  readonly soFar: readonly Marks[];
  /** Classes and values of all sessions. */
  readonly others: readonly (readonly [string, Value])[];
  readonly drawn: ReadonlyMap<string, BoundValue>;
}

class Picker {
  private readonly options: CandidateOptions;
  private readonly pools = new Map<string, readonly Value[]>();
  private readonly groups = new Map<Meeting, readonly string[]>();
  private readonly ranges: readonly RangeMeeting[];
  private taken = 0;

  constructor(options: CandidateOptions) {
    this.options = options;
    this.ranges = rangeWaysOf(options.joint).flatMap(({ range }) => range ?? []);
  }

  canMeet({ meetings }: Way): boolean {
    return meetings.every((meeting) => this.groupsOf(meeting).length > 0);
  }

  /** Returns undefined if the attempt failed. */
  values({ meetings, range }: Way): Values | undefined {
    const { joint, random } = this.options;
    const chosen = joint.sessions.map((): Chosen => new Map());
    if (range === undefined || random.chance(NEAR)) for (const meeting of meetings) if (!this.meet(meeting, chosen)) return undefined;
    if (range !== undefined && random.chance(NEAR)) this.near(range, chosen);
    const others: [string, Value][] = [];
    const values = joint.sessions.map((_, session) => this.rolled(session, chosen[session]!, others));
    const kept = chosen.every((own, session) => [...own].every(([name, value]) => values[session]![name] === value));
    if (!kept) return undefined;
    if (range !== undefined) return this.inRange(range, values) ? values : undefined;
    return meetings.length > 0 || !this.meetsAnywhere(values) ? values : undefined;
  }

  /** Chooses the values that decide a range close to its first one. */
  private near({ parts }: RangeMeeting, chosen: readonly Chosen[]): void {
    const { joint, random } = this.options;
    let first: { readonly type: Parameter['type']; readonly value: Value } | undefined;
    for (const { session, parameter: name } of random.shuffle([...parts])) {
      const { domain, type } = declaredIn(joint.sessions[session]!.template.steps).find((each) => each.name === name)!;
      if (chosen[session]!.has(name!)) continue;
      const around = first === undefined ? [domain!.draw(random)] : domain!.around(first.type, first.value);
      if (around.length === 0) continue;
      const value = random.pick(around);
      first ??= { type, value };
      chosen[session]!.set(name!, value);
    }
  }

  private inRange(range: RangeMeeting, values: Values): boolean {
    const { joint, reach } = this.options;
    const statements = joint.sessions.map(({ template }, session) => {
      const key = valueKeys();
      return boundStatements(template.steps, { value: ({ name }) => values[session]![key(name)]!, times: (from) => from });
    });
    return meetInRange(range, statements, joint, reach);
  }

  /** Chooses the values of its parts, beside the values chosen already. */
  private meet(meeting: Meeting, chosen: readonly Chosen[]): boolean {
    const groups = this.groupsOf(meeting);
    for (let i = 0; i < Math.min(ATTEMPTS, groups.length); i++) {
      const group = groups[this.taken++ % groups.length]!;
      const picked = this.pick(meeting, group, chosen);
      if (picked === undefined) continue;
      for (const [session, name, value] of picked) chosen[session]!.set(name, value);
      return true;
    }
    return false;
  }

  /** Returns the values of the class or set in which each part can be, in random order. */
  private groupsOf(meeting: Meeting): readonly string[] {
    const known = this.groups.get(meeting);
    if (known !== undefined) return known;
    const { random } = this.options;
    const sets = meeting.parts.map(
      (part) => new Set(this.valuesOf(part).flatMap((value) => [...(this.marks(part, value).get(meeting.at) ?? [])])),
    );
    const common = [...sets[0]!].filter((group) => sets.every((each) => each.has(group)));
    const groups = random.shuffle(common).filter(
      (group) =>
        this.pick(
          meeting,
          group,
          meeting.parts.map(() => new Map()),
        ) !== undefined,
    );
    this.groups.set(meeting, groups);
    return groups;
  }

  private pick(
    { at, parts, apart }: Meeting,
    group: string,
    chosen: readonly Chosen[],
  ): readonly (readonly [number, string, Value])[] | undefined {
    const picked: [number, string, Value][] = [];
    for (const part of parts) {
      const { session, parameter } = part;
      if (parameter === undefined) continue;
      const before = chosen[session]?.get(parameter);
      const own = this.classOf(session, parameter);
      const used = new Set(picked.filter(([other, name]) => this.classOf(other, name) === own).map(([, , value]) => value));
      const fits = (before === undefined ? this.valuesOf(part) : [before]).filter(
        (value) => this.marks(part, value).get(at)?.has(group) === true && !(apart && used.has(value)),
      );
      if (fits.length === 0) return undefined;
      picked.push([session, parameter, this.options.random.pick(fits)]);
    }
    return picked;
  }

  private rolled(session: number, chosen: Chosen, others: [string, Value][]): Readonly<Record<string, Value>> {
    const { joint, random, firstUnique } = this.options;
    const { template, parameters } = joint.sessions[session]!;
    const key = valueKeys();
    const values: Record<string, Value> = {};
    const soFar: Marks[] = [...chosen].flatMap(([name, value]) =>
      parameters.some((own) => own.name === name) ? [this.marks({ session, parameter: name }, value)] : [],
    );
    let next = firstUnique(session);
    boundStatements(template.steps, {
      value: (parameter, drawn) => {
        const at = key(parameter.name);
        const own = parameters.find(({ name }) => name === parameter.name);
        const wanted = chosen.get(at) ?? (own && this.related(session, own, { soFar, others, drawn }));
        const fits = wanted !== undefined && parameter.allows?.(wanted, drawn) !== false;
        const value = fits ? wanted : drawnBy(parameter, drawn, random, () => next++);
        values[at] = value;
        if (own !== undefined) {
          soFar.push(this.marks({ session, parameter: own.name }, value));
          others.push([own.class, value]);
        }
        return value;
      },
      times: (from) => from,
    });
    return values;
  }

  /**
   * Returns a value related to those of its session, or one that another session took. Returns undefined for a free
   * draw.
   */
  private related(session: number, own: Sessions[number]['parameters'][number], { soFar, others, drawn }: SoFar): Value | undefined {
    const { random } = this.options;
    const part = { session, parameter: own.name };
    const way = random.chance(COHERENT) ? 'own' : random.chance(SHARED / (1 - COHERENT)) ? 'other' : 'any';
    const all = way === 'other' ? others.flatMap(([name, value]) => (name === own.class ? [value] : [])) : this.valuesOf(part);
    const allowed = all.filter((value) => own.allows?.(value, drawn) !== false && (way !== 'other' || this.accepts(own, value)));
    const fits =
      way === 'own' ? allowed.filter((value) => soFar.some((marks) => meet(marks, this.marks(part, value), own.class))) : allowed;
    return fits.length === 0 ? undefined : random.pick(fits);
  }

  /** Tells whether its line allows the value, or a row was made for it. */
  private accepts({ domain, class: own }: Sessions[number]['parameters'][number], value: Value): boolean {
    return domain!.holds(value) || (domain!.ofRows === true && this.options.made?.get(own)?.includes(value) === true);
  }

  private meetsAnywhere(values: Values): boolean {
    if (this.ranges.some((range) => this.inRange(range, values))) return true;
    const { joint } = this.options;
    const marks = joint.sessions.map(({ parameters }, session) =>
      parameters.flatMap(({ name }) =>
        values[session]![name] === undefined ? [] : [this.marks({ session, parameter: name }, values[session]![name])],
      ),
    );
    return marks.some((one, i) => marks.slice(i + 1).some((other) => one.some((a) => other.some((b) => meet(a, b)))));
  }

  private marks({ session, parameter }: Meeting['parts'][number], value: Value): Marks {
    const { reach } = this.options;
    return parameter === undefined ? reach.constantsOf(session) : reach.marksOf(session, this.classOf(session, parameter), value);
  }

  private classOf(session: number, parameter: string): string {
    return this.options.joint.sessions[session]!.parameters.find(({ name }) => name === parameter)!.class;
  }

  /** Returns the values, those that rows have first. For a session that meets by no parameter it is one placeholder. */
  private valuesOf({ session, parameter }: Meeting['parts'][number]): readonly Value[] {
    if (parameter === undefined) return [null];
    const key = `${session} ${parameter}`;
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const { joint, reach, random, made } = this.options;
    const { domain, type, class: own } = joint.sessions[session]!.parameters.find(({ name }) => name === parameter)!;
    const more = domain!.ofRows ? (made?.get(own) ?? []) : (made?.get(own) ?? []).filter((value) => domain!.holds(value));
    const texts = joint.keysOf(own).flatMap(({ table, place }) => (reach.state[table.name] ?? []).flatMap((row) => row[place] ?? []));
    const keys = random
      .fork(key)
      .shuffle([...new Set(texts)])
      .flatMap((text) => readValue(type, text) ?? [])
      .filter((value) => domain!.holds(value));
    // A value that another parameter of the class draws may lie in its domain too, whatever its rule is.
    const shared = joint.sessions
      .flatMap(({ parameters }, other) => parameters.map((each) => ({ ...each, key: `${other} ${each.name}` })))
      .filter((each) => each.class === own && each.type === type && each.key !== key)
      .flatMap((each) => each.domain!.some(MOST_DRAWN, random.fork(each.key)))
      .filter((value) => domain!.holds(value));
    const all = new Map(
      [...more, ...keys.slice(0, MOST_VALUES), ...domain!.some(MOST_DRAWN, random.fork(key)), ...shared].map((value) => [
        loosely(value ?? ''),
        value,
      ]),
    );
    this.pools.set(key, [...all.values()]);
    return [...all.values()];
  }
}

/** Draws by its domain, so that both ends of a range occur. */
function drawnBy(parameter: Parameter, drawn: ReadonlyMap<string, BoundValue>, random: Random, unique: () => number): Value {
  const value = parameter.domain?.draw(random);
  return value === undefined || parameter.allows?.(value, drawn) === false ? parameter.draw(random, drawn, unique) : value;
}

/** `but` excludes this class. */
function meet(a: Marks, b: Marks, but?: string): boolean {
  return [...a].some(([at, values]) => at !== but && [...values].some((value) => b.get(at)?.has(value) === true));
}
