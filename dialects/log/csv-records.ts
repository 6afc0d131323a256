/** Reads a CSV file line by line. Quoted fields may hold commas, doubled quotes and line ends. */

export interface CsvRecords {
  line(text: string): void;
  /** True: the last record was cut. */
  end(): boolean;
}

/** A record with an unclosed quote would take the rest of the file. */
const LONGEST = 4_000_000;

export function csvRecords(tell: (fields: readonly string[]) => void, cut: () => void): CsvRecords {
  let open = '';
  return {
    line(text) {
      const record = open === '' ? text : `${open}\n${text}`;
      const fields = fieldsOf(record);
      if (fields !== undefined) {
        open = '';
        tell(fields);
      } else if (record.length > LONGEST) {
        open = '';
        cut();
      } else open = record;
    },
    end: () => open !== '',
  };
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** Undefined: the record continues in the next line. */
export function fieldsOf(record: string): readonly string[] | undefined {
  const fields: string[] = [];
  for (let at = 0; ;) {
    FIELD.lastIndex = at;
    const found = FIELD.exec(record);
    if (found === null) return undefined;
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    at = FIELD.lastIndex;
    if (found[3] === '') return fields;
  }
}
