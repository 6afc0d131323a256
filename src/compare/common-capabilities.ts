/** Returns the capabilities that several releases have in common. Programs for all of them use nothing else. */
import type { Capabilities } from '../../core/dialect/index.ts';

type Value = Capabilities[keyof Capabilities];

/** The lesser value, for capabilities with a name for more and for less. */
const LESSER: Readonly<Partial<Record<keyof Capabilities, Value>>> = { merge: 'plain', readBeside: 'queries' };

export function commonCapabilities([first, ...others]: readonly Capabilities[]): Capabilities {
  return others.reduce(both, first!);
}

function both(one: Capabilities, other: Capabilities): Capabilities {
  const keys = (Object.keys(one) as (keyof Capabilities)[]).filter((key) => key !== 'unsupported');
  const unsupported = [...new Set([...(one.unsupported ?? []), ...(other.unsupported ?? [])])];
  const shared = keys.flatMap((key) => {
    const value = common(one[key], other[key], LESSER[key]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...(Object.fromEntries(shared) as unknown as Capabilities), ...(unsupported.length > 0 && { unsupported }) };
}

function common(one: unknown, other: unknown, lesser: unknown): unknown {
  if (one === undefined || other === undefined) return undefined;
  if (Array.isArray(one) && Array.isArray(other)) return one.filter((each) => other.includes(each));
  if (typeof one === 'object' && typeof other === 'object') return commonKeys(one as object, other as object);
  if (typeof one === 'boolean' && typeof other === 'boolean') return one && other;
  return one === other ? one : one === false || other === false ? undefined : lesser;
}

/** Texts, such as the words after BEGIN, differ between servers. They count as common if both have some. */
function commonKeys(one: object, other: object): object {
  const has = other as Readonly<Record<string, unknown>>;
  const shared = Object.entries(one).flatMap(([key, value]) => {
    if (has[key] === undefined) return [];
    return [[key, typeof value === 'boolean' ? value && has[key] === true : value] as const];
  });
  return Object.fromEntries(shared);
}
