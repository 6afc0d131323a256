/**
 * The constructs that the body of a function may contain. None reaches beyond the file's tables, and each is
 * deterministic. These lists hold what is allowed, so that a construct which nobody thought of is refused.
 */

/** Statements and their parts, by PL/pgSQL's names. */
export const PLPGSQL_NODES: ReadonlySet<string> = listed(
  'stmt_block, stmt_assign, stmt_if, stmt_case, stmt_loop, stmt_while, stmt_fori, stmt_fors, stmt_exit, stmt_return, stmt_raise',
  'stmt_assert, stmt_execsql, stmt_perform, stmt_getdiag, diag_item, function, var, rec, row, recfield, type, expr, if_elsif',
  'case_when, exception_block, exception, condition, raise_option',
);

export const REFUSED_PLPGSQL: Readonly<Record<string, string>> = {
  stmt_dynexecute: 'EXECUTE is not supported: which tables it reaches is not known before it runs; write the statement itself',
  stmt_dynfors: 'FOR ... IN EXECUTE is not supported: which tables it reaches is not known before it runs; write the query itself',
  stmt_open: 'cursors are not supported: write FOR row IN SELECT ... LOOP',
  stmt_fetch: 'cursors are not supported: write FOR row IN SELECT ... LOOP',
  stmt_close: 'cursors are not supported: write FOR row IN SELECT ... LOOP',
  stmt_forc: 'cursors are not supported: write FOR row IN SELECT ... LOOP',
  stmt_foreach_a: 'FOREACH is not supported: use a table and FOR row IN SELECT ... LOOP',
  stmt_return_next: 'a function that returns rows is not supported: write its query into the statement',
  stmt_return_query: 'a function that returns rows is not supported: write its query into the statement',
  stmt_commit: 'COMMIT in a body is not supported: the tool ends the transaction',
  stmt_rollback: 'ROLLBACK in a body is not supported: the tool ends the transaction',
  stmt_call: 'CALL and DO are not supported: call a function with PERFORM',
};

/** The nodes of PostgreSQL's own grammar. */
export const SQL_NODES: ReadonlySet<string> = listed(
  'SelectStmt, InsertStmt, UpdateStmt, DeleteStmt, MergeStmt, MergeWhenClause, ResTarget, ReturningClause',
  'RangeVar, RangeSubselect, JoinExpr, Alias, WithClause, CommonTableExpr, LockingClause, SortBy, WindowDef',
  'OnConflictClause, InferClause, IndexElem, List, ColumnRef, ParamRef, String, A_Const, A_Expr, BoolExpr',
  'NullTest, BooleanTest, TypeCast, TypeName, CoalesceExpr, MinMaxExpr, CaseExpr, CaseWhen, SubLink, FuncCall',
  'RowExpr, MultiAssignRef, SetToDefault, Integer, Float, Boolean',
);

/** Fields whose nodes do not name their kind, with the kind. */
export const FIELD_KINDS: Readonly<Record<string, string>> = {
  relation: 'RangeVar',
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  withClause: 'WithClause',
  typeName: 'TypeName',
  over: 'WindowDef',
  alias: 'Alias',
  onConflictClause: 'OnConflictClause',
  infer: 'InferClause',
  returningClause: 'ReturningClause',
  intoClause: 'IntoClause',
  ival: 'Integer',
  fval: 'Float',
  sval: 'String',
  boolval: 'Boolean',
};

export const REFUSED_NODES: Readonly<Record<string, string>> = {
  IntoClause: 'SELECT INTO a new table is not supported: create the table in the schema',
  SQLValueFunction: 'CURRENT_USER, CURRENT_TIME and the like are not supported: their value differs at each call',
  RangeFunction: 'a function in FROM is not supported: select from a table',
  A_Indirection: 'fields and subscripts are not supported: name the column',
  A_ArrayExpr: 'arrays are not supported: use IN (...)',
  CallStmt: 'CALL is not supported: call a function with PERFORM',
  CopyStmt: 'COPY is not supported: use INSERT',
  TruncateStmt: 'TRUNCATE is not supported: use DELETE',
  VariableSetStmt: 'SET is not supported: settings belong to the server and the run',
  LockStmt: 'LOCK TABLE is not supported: lock rows with SELECT ... FOR UPDATE',
};

/** Deterministic built-in functions that read only their arguments. */
export const FUNCTIONS: ReadonlySet<string> = listed(
  'abs, mod, round, floor, ceil, ceiling, trunc, sign, power, sqrt, div',
  'lower, upper, initcap, length, char_length, character_length, octet_length, left, right, reverse, ascii, chr',
  'concat, concat_ws, format, replace, translate, substr, substring, position, strpos, split_part, starts_with',
  'btrim, ltrim, rtrim, overlay, md5, to_char, date_trunc, date_part, extract, nullif, coalesce',
  'count, sum, min, max, avg, bool_and, bool_or, every, string_agg, row_number, rank, dense_rank',
);

/**
 * Types of variables, arguments, results and casts. The file's own types are missing, because other types replace them
 * in the tables.
 */
export const TYPES: ReadonlySet<string> = listed(
  'int2, int4, int8, smallint, integer, bigint, int, numeric, decimal, float4, float8, real, double precision',
  'text, varchar, character varying, bpchar, char, character, name, bool, boolean, date, interval',
  'timestamp, timestamptz, timestamp without time zone, timestamp with time zone, record, trigger, void',
);

export const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid', 'oid']);

function listed(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')));
}
