/** How wide what we print may be: the terminal's width; of a pipe or a file what COLUMNS says, else as wide as usual. */
const USUAL = 80;

export function columnsOf(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, env: NodeJS.ProcessEnv = process.env): number {
  const wide = stream.isTTY ? stream.columns : Number(env['COLUMNS']);
  return Number.isInteger(wide) && wide > 0 ? wide : USUAL;
}
