/** Prints rows of cells as aligned lines. The first row is the head. A column whose cells all begin with a digit is aligned right. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = rows[0]?.length ?? 0;
  const width: number[] = [];
  const right: boolean[] = [];
  for (let c = 0; c < columns; c++) {
    width.push(Math.max(...rows.map((row) => row[c]?.length ?? 0)));
    right.push(rows.length > 1 && rows.slice(1).every((row) => /^\d/.test(row[c] ?? '')));
  }
  return rows.map((row) =>
    row
      .map((cell, c) => (right[c] === true ? cell.padStart(width[c] ?? 0) : cell.padEnd(width[c] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
