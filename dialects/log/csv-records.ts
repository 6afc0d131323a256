/**
 * Reads a CSV file line by line. Quoted fields may hold commas, doubled quotes and line ends. Every line is read once,
 * even if a record is thousands of lines long. docs/decisions/own-csv-reader.md says why no package does this.
 */

export interface CsvRecords {
  line(text: string): void;
  /** Returns true if the file ended inside the last record. */
  end(): boolean;
}

/** A record with an unclosed quote would take the rest of the file, so it is cut at this number of characters. */
const LONGEST = 4_000_000;

export function csvRecords(tell: (fields: readonly string[]) => void, cut: () => void): CsvRecords {
  let lines: string[] = [];
  let length = 0;
  let open = false;
  return {
    line(text) {
      lines.push(text);
      length += text.length + 1;
      // A record is whole if its number of quotes is even. A doubled quote counts twice.
      if (oddQuotes(text)) open = !open;
      if (open && length <= LONGEST) return;
      const fields = open ? undefined : fieldsOf(lines.length === 1 ? text : lines.join('\n'));
      lines = [];
      length = 0;
      open = false;
      if (fields === undefined) cut();
      else tell(fields);
    },
    end: () => open,
  };
}

function oddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** Returns the fields. Undefined: the text is no whole record. */
export function fieldsOf(record: string): readonly string[] | undefined {
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    const quoted = record[at] === '"';
    const end = quoted ? afterQuoted(record, at) : afterPlain(record, at);
    if (end === undefined) return undefined;
    const field = record.slice(at, end);
    if (!quoted && field.includes('"')) return undefined;
    fields.push(quoted ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === record.length) return fields;
    if (record[end] !== ',') return undefined;
    at = end;
  }
}

function afterPlain(record: string, from: number): number {
  const comma = record.indexOf(',', from);
  return comma < 0 ? record.length : comma;
}

/** Returns the position after the closing quote. Undefined: the quote is not closed. */
function afterQuoted(record: string, from: number): number | undefined {
  let close = record.indexOf('"', from + 1);
  while (close >= 0 && record[close + 1] === '"') close = record.indexOf('"', close + 2);
  return close < 0 ? undefined : close + 1;
}
