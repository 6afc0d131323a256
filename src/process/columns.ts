/** Returns the width for output: the terminal's, for a pipe or a file that of COLUMNS, otherwise the usual width. */
const USUAL = 80;

export function columnsOf(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, env: NodeJS.ProcessEnv = process.env): number {
  const wide = stream.isTTY ? stream.columns : Number(env['COLUMNS']);
  return Number.isInteger(wide) && wide > 0 ? wide : USUAL;
}
