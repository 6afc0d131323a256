/** Reads fields of a file that any user may have edited. Each field is checked before use. */

export class Malformed extends Error {
  override readonly name = 'Malformed';
}

export function object(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Malformed(`${where} is ${shown(value)}; expected an object`);
  return value as Readonly<Record<string, unknown>>;
}

export function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed(`${where}: got ${shown(value)}; expected a list`);
  return value;
}

export function integer(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Malformed(`${where}: got ${shown(value)}; expected an integer`);
  return value;
}

export function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new Malformed(`${where}: got ${shown(value)}; expected a text`);
  return value;
}

export function truth(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean') throw new Malformed(`${where}: got ${shown(value)}; expected true or false`);
  return value;
}

export function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60);
}
