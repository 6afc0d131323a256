/** The small schema that the tests of PostgreSQL's importer write their statements over, and the importer at work on one of them. */
import type { TypeKind } from '../../../../core/sql/index.ts';
import { isRefusal, type ImportedSchema, type SqlImporter, type SqlText } from '../../../../core/dialect/index.ts';
import { postgres } from '../../../../dialects/index.ts';

export const BANK: readonly string[] = [
  `create table customer (id int primary key, name varchar(20) not null, email text unique, active boolean not null default true, since date default '2024-01-01', credit numeric(12,2) not null default 0 check (credit >= 0))`,
  `create table orders (id serial primary key, customer_id int not null references customer (id) on delete cascade, placed timestamp not null, total numeric(12,2) not null default 0, status varchar(10) not null default 'new' check (status in ('new', 'paid', 'sent')), seq bigint not null default 0, note text)`,
  `create table item (order_id int references orders, line int, sku varchar(10) not null, qty int, primary key (order_id, line))`,
  `create table link (order_id int, line int)`,
  `create index on item (sku)`,
  `create unique index one_seq on orders (customer_id, seq)`,
  `create view active_customer as select id, name, credit from customer where active`,
  `create view totals (who, amount) as select c.name, sum(o.total) from customer c join orders o on o.customer_id = c.id group by c.name`,
  `insert into customer (id, name, credit) values (1, 'ann', 100), (2, 'bob', 20.5), (3, 'cy', 0)`,
  `insert into customer (id, name, email, active, since, credit) values (4, 'dan', 'd@x', false, null, 7)`,
  `insert into orders values (default, 1, '2024-05-01 10:00:00', 10.5, default, default), (default, 1, '2024-05-02', 3, 'paid', 7)`,
  `insert into orders (customer_id, placed, total, status, seq, note) values (2, '2024-05-02 12:30:00', 4, 'sent', 2, 'soon')`,
  `insert into item values (1, 1, 'x', 2), (1, 2, 'y', 5), (2, 1, 'x', 1)`,
  `insert into link values (1, 1), (1, 3), (2, 1)`,
];

export const PARAMETERS: ReadonlyMap<string, TypeKind> = new Map<string, TypeKind>([
  ['id', 'integer'],
  ['amount', 'decimal'],
  ['name', 'text'],
  ['day', 'date'],
  ['n', 'integer'],
]);

export interface Bank extends ImportedSchema {
  readonly importer: SqlImporter;
  /** As printed after import; throws the reason where it is refused. */
  accept(sql: string): string;
  /** The reason; throws the printed statement where it is taken. */
  refusal(sql: string): string;
}

export async function bank(): Promise<Bank> {
  const importer = await postgres.importer!();
  const imported = importer.schema(linesOf(BANK));
  const read = (sql: string): ReturnType<SqlImporter['statement']> => importer.statement({ sql, line: 7 }, imported.schema, PARAMETERS);
  return {
    ...imported,
    importer,
    accept: (sql) => {
      const statement = read(sql);
      if (isRefusal(statement)) throw new Error(statement.reason);
      return postgres.print(statement);
    },
    refusal: (sql) => {
      const statement = read(sql);
      if (!isRefusal(statement)) throw new Error(`taken: ${postgres.print(statement)}`);
      if (statement.line !== 7) throw new Error(`refused in line ${statement.line}, not 7`);
      return statement.reason;
    },
  };
}

/** Each in a line of its own, from the first. */
export function linesOf(texts: readonly string[]): readonly SqlText[] {
  return texts.map((sql, i) => ({ sql, line: i + 1 }));
}
