/**
 * Adapts a generated case to endpoints of which some take no writes. Sessions are spread over the endpoints in turn. On a
 * read-only one, every statement becomes a query without locks that reads what it would have written.
 */
import { isWrite, itemsOf } from '../../core/index.ts';
import type {
  EndpointState,
  From,
  Query,
  Schema,
  Select,
  SelectItem,
  SessionPlan,
  Statement,
  TestCase,
  WriteStatement,
} from '../../core/index.ts';

export function spreadOver(testCase: TestCase, endpoints: readonly Pick<EndpointState, 'readOnly'>[]): TestCase {
  if (endpoints.length < 2) return testCase;
  const sessions = testCase.sessions.map((session, number): SessionPlan => {
    const endpoint = number % endpoints.length;
    return endpoints[endpoint]?.readOnly === true
      ? { endpoint, transactions: readOnly(session, testCase.schema) }
      : { ...session, endpoint };
  });
  return { ...testCase, sessions };
}

/** Statements keep their numbers, so that a schedule still fits. */
function readOnly({ transactions }: SessionPlan, schema: Schema): SessionPlan['transactions'] {
  return transactions.map((txn) => ({ ...txn, statements: txn.statements.map((statement) => withoutLocks(readIn(statement, schema))) }));
}

/** For a WITH that writes, returns a read of its first part. */
function readIn(statement: Statement, schema: Schema): Statement {
  if (statement.kind === 'lockTable') return { ...statement, mode: 'access share' }; // A standby has no stronger one for a user.
  const write = statement.kind === 'withWrites' ? statement.writes[0]!.write : statement;
  return isWrite(write) ? readOf(write, schema) : write;
}

function readOf(write: WriteStatement, schema: Schema): Query {
  if (write.kind === 'insert') return write.query ?? { kind: 'select', ...wholeTable(write.table, schema) };
  if (write.kind === 'merge') return { kind: 'select', ...wholeTable(write.table, schema) };
  const partners = write.kind === 'update' ? write.from : write.using;
  const view = write.kind === 'update' ? write.through : undefined;
  const { items, from } = view === undefined ? wholeTable(write.table, schema) : wholeView(view, schema);
  const select: Select = {
    kind: 'select',
    items,
    from: partners === undefined ? from : { kind: 'join', type: 'cross', left: from, right: partners },
  };
  return write.where === undefined ? select : { ...select, where: write.where };
}

function wholeTable(table: string, { tables }: Schema): { readonly items: readonly SelectItem[]; readonly from: From } {
  const names = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
  return { items: names.map((name) => item(table, name)), from: { kind: 'table', table, alias: table } };
}

function wholeView(view: string, { views = [] }: Schema): { readonly items: readonly SelectItem[]; readonly from: From } {
  const query = views.find(({ name }) => name === view)?.query;
  const names = query === undefined ? [] : itemsOf(query).map(({ alias }) => alias);
  return { items: names.map((name) => item(view, name)), from: { kind: 'view', view, alias: view } };
}

function item(table: string, column: string): SelectItem {
  return { expression: { kind: 'column', table, column }, alias: column };
}

function withoutLocks(statement: Statement): Statement {
  return JSON.parse(JSON.stringify(statement), (key, value: unknown) => (key === 'lock' ? undefined : value)) as Statement;
}
