/** Turns a value that a server shows as text into a literal that every DBMS here accepts. */
import type { TypeKind, Value } from './value.ts';

const TRUTHS: Readonly<Record<string, boolean>> = { t: true, true: true, 1: true, f: false, false: false, 0: false };

const READERS: Readonly<Record<TypeKind, (text: string) => Value | undefined>> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  bigint: (text) => (/^-?\d+$/.test(text) ? text : undefined),
  decimal: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? text : undefined),
  boolean: (text) => (Object.hasOwn(TRUTHS, text) ? TRUTHS[text] : undefined),
  date: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined),
  timestamp: (text) => (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? text : undefined),
  text: (text) => text,
  varchar: (text) => text,
};

/** Undefined: the text is no literal of the type. */
export function readValue(type: TypeKind, text: string): Value | undefined {
  return READERS[type](text);
}
