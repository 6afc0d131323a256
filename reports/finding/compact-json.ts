/** Writes indented JSON in which each item of a long list is one line, so that the file is readable and small. */

/** A property with this name is one line, or each of its items is. In an object, the items of its lists are. */
export type Lines = Readonly<Record<string, 'whole' | 'items'>>;

/** `line`: further values that are one line, whatever their name. */
export function compactJson(value: object, lines: Lines, line: (each: object) => boolean = () => false): string {
  const marks: string[] = [];
  const mark = (each: unknown): string => `\u0001${marks.push(JSON.stringify(each)) - 1}\u0001`;
  // JSON.stringify goes on into the replacer's result. An item that is marked already is a text by then, and stays.
  const markObject = (each: unknown): unknown => (typeof each === 'object' && each !== null ? mark(each) : each);
  const text = JSON.stringify(
    value,
    (key, inner: unknown) => {
      if (inner === null || typeof inner !== 'object') return inner;
      const how = Object.hasOwn(lines, key) ? lines[key] : undefined;
      if (how === 'whole' || line(inner)) return mark(inner);
      if (how === undefined) return inner;
      if (Array.isArray(inner)) return inner.map(markObject);
      return Object.fromEntries(
        Object.entries(inner).map(([name, list]: [string, unknown]) => [name, Array.isArray(list) ? list.map(markObject) : list]),
      );
    },
    2,
  );
  return text.replaceAll(/"\\u0001(\d+)\\u0001"/g, (_, at: string) => marks[Number(at)] ?? 'null');
}
