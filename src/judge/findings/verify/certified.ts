/** The parts of a finding's file that verify reads, as JSON gives them: the claim, and the certificate that is to prove it. */
export type Seen = readonly ['read' | 'write' | 'delete', string, string, string];
export interface Txn {
  id: number;
  session: number;
  outcome: string;
  autocommit?: boolean;
  begin: number | null;
  end: number | null;
  over?: number | null;
}
export interface Stmt {
  txn: number;
  number: number;
  kind: string;
  seq?: number;
  table?: string;
  reads?: string;
  locks?: readonly string[];
  status: string;
  undone?: boolean;
  incomplete?: boolean;
  statusMismatch?: { expected: string; reported: string };
  sent: number;
  replied: number | null;
  seen: readonly Seen[];
}
export interface Predicate {
  txn: number;
  number: number;
  table: string;
  beside?: boolean;
  conditional?: boolean;
  met?: boolean;
  all?: boolean;
  matches: Record<string, Record<string, boolean>>;
}
export interface Cert {
  level: string;
  instrument: string;
  complete: boolean;
  references?: readonly { table: string; parent: string; onDelete: string; onUpdate: string }[];
  rows: readonly { table: string; row: string }[];
  transactions: readonly Txn[];
  statements: readonly Stmt[];
  predicates: readonly Predicate[];
}
export interface Step {
  from: number;
  to: number;
  rel: string;
  row?: string;
  table?: string;
  fromStatement?: number;
  toStatement?: number;
  readPoint?: string;
  cascade?: { last: string; by: string };
}
export interface Claim {
  class: string;
  cycle: readonly Step[];
  transactions: readonly number[];
  statements: readonly number[];
  row?: { table: string; row: string };
}
/** The finding's own list, which maps the statement numbers of the steps to statements. */
export type Numbered = readonly { index: number; txn: number; number: number }[];

/** Kinds of statements that lock rows. */
export const LOCKING: RegExp = /^(update|delete|merge|with|select for .+)$/;
/** Kinds of statements that read the newest committed state instead of a snapshot. FOR KEY SHARE does so only if the key has changed. */
export const CURRENT: RegExp = /^(insert|probe|update|delete|merge|with|select for (?!key).+)$/;
