/** A workload file of test/races, read by its lines. It shares nothing with the parser of the tool. */

export interface FileByLines {
  /** Tables and first rows. */
  readonly setup: readonly string[];
  /** The key is the transaction's name. An IF and a GET DIAGNOSTICS are statements too. */
  readonly transactions: ReadonlyMap<string, readonly string[]>;
  readonly invariants: readonly string[];
}

export function fileByLines(text: string): FileByLines {
  const setup: string[] = [];
  const transactions = new Map<string, readonly string[]>();
  const invariants: string[] = [];
  for (const part of text.split(/^-- @(?!parameter )/m).slice(1)) {
    const [head = '', ...lines] = part.split('\n');
    const statements = lines
      .filter((line) => !line.startsWith('--'))
      .join('\n')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const [kind, name = ''] = head.trim().split(/\s+/);
    if (kind === 'transaction') transactions.set(name, statements);
    else if (kind === 'invariant') invariants.push(...statements);
    else if (kind === 'schema' || kind === 'data') setup.push(...statements);
    else throw new Error(`a part of the file is not read here: @${kind}`);
  }
  return { setup, transactions, invariants };
}
