/**
 * Constructs of PostgreSQL's grammar that the IR lacks: why, and what to write instead. Constructs without a row are
 * refused too, with a shorter message.
 */

const OWN_SCHEMA = 'names with a schema are not supported: the tool creates a schema of its own, so leave the qualifier out';
const ONE_TABLE = 'is not supported: the rows of a table must be in that table alone';

export const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  'RangeVar.schemaname': OWN_SCHEMA,
  'RangeVar.catalogname': OWN_SCHEMA,
  'RangeVar.relpersistence': 'temporary and unlogged tables are not supported: make it an ordinary table',
  'RangeVar.inh': 'ONLY is not supported: there is no inheritance here, so leave it out',
  'Alias.colnames': 'column names behind an alias are not supported here: give the columns names with AS inside',
  'SelectStmt.distinctClause': 'DISTINCT ON is not supported: use GROUP BY, or row_number() in a derived table',
  'SelectStmt.intoClause': 'SELECT INTO is not supported: create the table in the schema',
  'SelectStmt.windowClause': 'WINDOW is not supported: write the window in each OVER ()',
  'SelectStmt.limitOffset': 'OFFSET is not supported: select by a key instead',
  'SelectStmt.limitOption': 'WITH TIES is not supported: use LIMIT, or rank() in a derived table',
  'SelectStmt.valuesLists': 'VALUES is supported in INSERT only: put the rows into a table',
  'SelectStmt.groupDistinct': 'GROUP BY DISTINCT is not supported: leave DISTINCT out',
  'JoinExpr.alias': 'an alias of a whole join is not supported: give each table its own',
  'JoinExpr.join_using_alias': 'an alias of USING is not supported: name a table of the join',
  'FuncCall.agg_order': 'ORDER BY in an aggregate is not supported: leave it out',
  'FuncCall.agg_within_group': 'WITHIN GROUP is not supported: order the rows, and choose the one that you want outside',
  'FuncCall.func_variadic': 'VARIADIC is not supported: write the arguments one by one',
  'FuncCall.funcformat':
    'functions with words between their arguments (EXTRACT, POSITION, TRIM, ...) are not supported: compare the column itself, or pass the value as a parameter',
  'WindowDef.frameOptions': 'a frame (ROWS, RANGE, GROUPS) is not supported: leave it out, PARTITION BY and ORDER BY are supported',
  'WindowDef.name': 'a named window is not supported: write it in OVER ()',
  'WindowDef.refname': 'a named window is not supported: write it in OVER ()',
  'TypeName.typmods': 'a cast to a type with a length or scale cuts or rounds, so it is not supported: leave out what is in parentheses',
  'SortBy.sortby_nulls': 'NULLS FIRST and NULLS LAST are not supported: order by (column IS NULL) first',
  'SortBy.sortby_dir': 'ORDER BY ... USING is not supported: use ASC or DESC',
  'WithClause.recursive': 'WITH RECURSIVE of which a part writes is not supported: leave RECURSIVE out',
  'CommonTableExpr.ctematerialized': 'MATERIALIZED is not supported: leave it out',
  'CommonTableExpr.aliascolnames': 'column names behind the name of a WITH are not supported here: give the columns names with AS inside',
  'UpdateStmt.withClause': 'WITH in front of UPDATE is not supported: write the query as a subquery in FROM',
  'DeleteStmt.withClause': 'WITH in front of DELETE is not supported: write the query as a subquery in USING',
  'LockStmt.nowait': 'LOCK TABLE ... NOWAIT is not supported: leave NOWAIT out',
  'MergeStmt.withClause': 'WITH in front of MERGE is not supported: write the query as a subquery in USING',
  'MergeWhenClause.override': 'OVERRIDING is not supported: leave the identity column out, and the server numbers the row',
  'ReturningClause.options': 'names for OLD and NEW are not supported: leave WITH (...) out, and RETURNING gives the new row',
  'InsertStmt.override': 'OVERRIDING is not supported: leave the identity column out, and the server numbers the row',
  'InferClause.conname': 'ON CONFLICT ON CONSTRAINT is not supported: name the columns of the key, ON CONFLICT (...)',
  'InferClause.whereClause': 'ON CONFLICT (...) WHERE is not supported: look with a SELECT before, or name a key of whole columns',
  'IndexStmt.nulls_not_distinct': 'NULLS NOT DISTINCT is not supported: make the columns NOT NULL, and leave it out',
  'IndexElem.ordering': 'DESC in ON CONFLICT is not supported: leave it out',
  'IndexElem.nulls_ordering': 'NULLS FIRST and NULLS LAST in ON CONFLICT are not supported: leave them out',
  'CreateStmt.inhRelations': `INHERITS ${ONE_TABLE}`,
  'CreateStmt.partspec': `PARTITION BY ${ONE_TABLE}`,
  'CreateStmt.partbound': `PARTITION OF ${ONE_TABLE}`,
  'ViewStmt.withCheckOption': 'WITH CHECK OPTION is not supported: leave it out',
  'Constraint.deferrable': 'DEFERRABLE constraints are not supported: leave it out',
  'Constraint.initdeferred': 'DEFERRABLE constraints are not supported: leave it out',
  'Constraint.nulls_not_distinct': 'NULLS NOT DISTINCT is not supported: make the columns NOT NULL, and leave it out',
  'Constraint.fk_matchtype': 'MATCH FULL is not supported: leave it out',
  'Constraint.is_no_inherit': 'NO INHERIT is not supported: leave it out',
};

/** Statements by the parser's names. */
export const REFUSED_STATEMENTS: Readonly<Record<string, string>> = {
  CreateTrigStmt:
    'a trigger is not supported: what it writes is in no statement, so the rows it changes could not be followed; write its statements into the transactions',
  CreateFunctionStmt: 'a function or procedure is not supported: write its statements into the transactions',
  CallStmt: 'CALL is not supported: write the statements of the procedure into the transaction',
  DoStmt: 'DO is not supported: write its statements into the transaction',
  CreateSeqStmt: 'a sequence is not supported: use a column GENERATED BY DEFAULT AS IDENTITY, or draw the number as a parameter',
  CompositeTypeStmt: 'a composite type is not supported: use columns',
  CreateTableAsStmt: 'CREATE TABLE AS and materialized views are not supported: create the table and INSERT its rows',
  CreateSchemaStmt: 'CREATE SCHEMA is not supported: the tool creates a schema of its own',
  CreateExtensionStmt:
    'CREATE EXTENSION is ignored in a schema and not supported in a transaction: write it in the schema, or leave it out',
  RuleStmt: 'a rule is not supported: write its statements into the transactions',
  CreatePolicyStmt: 'row level security is not supported: write its condition into the WHERE of the statements',
  CopyStmt: 'COPY is not supported: write the initial rows as INSERT ... VALUES',
  GrantStmt: 'GRANT and REVOKE are not supported: the tool runs everything as one user',
  GrantRoleStmt: 'GRANT and REVOKE are not supported: the tool runs everything as one user',
  VariableSetStmt: 'SET is not supported: the isolation level is an option of the run, and the rest stays as the server has it',
  VariableShowStmt: 'SHOW is not supported: it reads no table',
  TruncateStmt: 'TRUNCATE is not supported: it removes rows without naming them; use DELETE',
  DropStmt: 'DROP is not supported: the tool creates the schema and drops it',
  AlterTableStmt: 'ALTER TABLE is supported in the schema only, for ADD CONSTRAINT: write it there',
  CreateStmt: 'CREATE TABLE is supported in the schema only: write it there',
  IndexStmt: 'CREATE INDEX is supported in the schema only: write it there',
  ViewStmt: 'CREATE VIEW is supported in the schema only: write it there',
  PrepareStmt: 'PREPARE is not supported: write the statement itself, with parameters as :name',
  ExecuteStmt: 'EXECUTE is not supported: write the statement itself, with parameters as :name',
  DeclareCursorStmt: 'cursors are not supported: write the query itself',
  FetchStmt: 'cursors are not supported: write the query itself',
  ClosePortalStmt: 'cursors are not supported: write the query itself',
  ExplainStmt: 'EXPLAIN is not supported: write the query itself',
  NotifyStmt: 'NOTIFY is not supported: leave it out, no row depends on it',
  ListenStmt: 'LISTEN is not supported: leave it out, no row depends on it',
  VacuumStmt: 'VACUUM and ANALYZE are not supported: leave them out, no row depends on them',
};

/** The message for transaction control other than savepoints. */
export const REFUSED_CONTROL =
  'BEGIN, COMMIT and ROLLBACK are not supported: the tool begins and ends the transaction, at the level of the run';

export const REFUSED_EXPRESSIONS: Readonly<Record<string, string>> = {
  SQLValueFunction: 'CURRENT_TIME, CURRENT_USER and the like are not supported: their value differs at each call; pass it as a parameter',
  MinMaxExpr: 'GREATEST and LEAST are not supported: use CASE',
  RowExpr: 'a row of several values is not supported: compare or set the columns one by one',
  MultiAssignRef: 'SET (a, b) = ... is not supported: set the columns one by one',
  A_Indirection: 'fields and subscripts are not supported: use columns',
  CollateClause: 'COLLATE is not supported: leave it out',
  GroupingFunc: 'GROUPING() is not supported: leave it out, and tell the sums by their NULLs',
  CurrentOfExpr: 'WHERE CURRENT OF is not supported: name the row by its key',
  XmlExpr: 'XML is not supported: read the column as it is',
  JsonFuncExpr: 'JSON is not supported: use columns',
};

const CHANGES = 'its value differs at each call: pass the value as a parameter';
const SERVER = 'it reads or changes something besides the tables: leave it out';

const RANGES =
  'a range is supported only beside && and in an exclusion constraint, tsrange(a, b) && tsrange(c, d): compare the ends, starts_at <= :at AND ends_at > :at';

/** Functions that have keywords between their arguments. */
export const REFUSED_WORDS: Readonly<Record<string, string>> = {
  timezone: 'AT TIME ZONE is not supported: timestamps here are in UTC, so leave it out',
};

export const REFUSED_FUNCTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['random', 'timeofday', 'txid_current', 'pg_current_xact_id', 'age'].map((name) => [name, CHANGES])),
  ...Object.fromEntries(
    ['nextval', 'currval', 'lastval', 'setval'].map((name) => [
      name,
      'sequences are not supported: use a column GENERATED BY DEFAULT AS IDENTITY, or a parameter',
    ]),
  ),
  ...Object.fromEntries(
    [
      'pg_sleep',
      'pg_advisory_lock',
      'pg_advisory_xact_lock',
      'pg_try_advisory_lock',
      'pg_try_advisory_xact_lock',
      'set_config',
      'current_setting',
      'pg_notify',
    ].map((name) => [name, SERVER]),
  ),
  ...Object.fromEntries(['tsrange', 'tstzrange', 'daterange', 'int4range', 'int8range', 'numrange'].map((name) => [name, RANGES])),
  make_interval: "write the interval out, interval '2 hours'",
  date_trunc: 'draw the timestamp that you want, as a parameter',
  concat: 'it takes NULL for an empty string: use || and coalesce()',
  dense_rank: 'use rank() or row_number()',
};
