/** Triggers and functions of files for PostgreSQL: which are taken, in which words, and that nothing reaches beyond the file's tables. */
import { describe, expect, it } from 'vitest';
import { routineSql } from '../../../../core/sql/index.ts';
import type { ImportedSchema } from '../../../../core/dialect/index.ts';
import { postgres } from '../../../../dialects/index.ts';

const TABLES = [
  'create table t (id int primary key, a int not null, words text, updated_at timestamp)',
  'create table log (id int primary key, what text)',
  'create view seen as select id, a from t',
];

async function imported(...texts: readonly string[]): Promise<ImportedSchema> {
  const importer = await postgres.importer!();
  return importer.schema([...texts, ...TABLES].map((sql, n) => ({ sql, line: 100 * n })));
}

const trigger = (body: string): string => `create function f() returns trigger language plpgsql as $$ ${body} $$`;
const block = (statements: string): string => trigger(`begin ${statements} return new; end`);

const TAKEN: readonly (readonly [body: string, reads: string, writes: string])[] = [
  ['new.updated_at := now();', '', ''],
  ['update t set a = a + 1 where id = new.id;', 't', 't'],
  ["insert into log values (new.id, 'x'), (new.id + 1, format('%s', new.a));", '', 'log'],
  ["insert into log (id) values (1) on conflict (id) do update set what = excluded.what || 'x';", 'log', 'log'],
  ['if exists (select * from public.t where a > new.a) then delete from log using t where t.id = log.id; end if;', 't,log', 'log'],
  ['with x as (select id from seen) insert into log select id from x;', 't', 'log'],
  ["begin insert into log (id) values (1); exception when unique_violation then raise notice 'pg_sleep(1)'; end;", '', 'log'],
  ["raise exception 'dblink(%) -- $1', new.id using errcode = 'P0002', hint = lower('X');", '', ''],
  ['if tg_op = $q$UPDATE$q$ and new.a is distinct from old.a then perform 1 from t for update; end if;', 't', ''],
];

describe('a body is taken', () => {
  it.each(TAKEN)('%s', async (body, reads, writes) => {
    const { schema, refused } = await imported(block(body));
    expect(refused).toEqual([]);
    const [routine] = schema.routines!;
    expect([routine!.reads.join(), routine!.writes.join()]).toEqual([reads, writes]);
  });
});

const REFUSED: readonly (readonly [body: string, reason: RegExp])[] = [
  ["execute 'drop table x';", /EXECUTE is not supported/],
  ['delete from pg_catalog.pg_authid;', /pg_catalog\.pg_authid is not supported/],
  ['delete from pg_authid;', /pg_authid is not supported/],
  ['delete from other.t;', /other\.t is not supported/],
  ['perform a from /* public. */ "other" . t;', /other\.t is not supported/],
  ['delete from nowhere;', /there is no table nowhere/],
  ['update seen set a = 1;', /the view seen/],
  ["perform dblink('x', 'y');", /dblink\(\) is not supported/],
  ["perform pg_read_file('x');", /pg_read_file\(\) is not supported/],
  ['perform pg_catalog.pg_sleep(1);', /pg_catalog\.pg_sleep\(\) is not supported/],
  ["perform public.set_config('a', 'b', false);", /set_config\(\) is not supported/],
  ["perform Set_Config -- (\n('search_path', 'x', true);", /set_config\(\) is not supported/],
  ['new.a := (random() * 10)::integer;', /random\(\) is not supported/],
  ["new.a := nextval('s');", /nextval\(\) is not supported/],
  ['perform count(*) from generate_series(1, 2);', /a function in FROM is not supported/],
  ['perform 1 operator(pg_catalog.+) 2;', /OPERATOR/],
  ["copy t to program 'x';", /COPY is not supported/],
  ['truncate t;', /TRUNCATE is not supported/],
  ['lock table t;', /LOCK TABLE is not supported/],
  ['set role x;', /SET is not supported/],
  ['create table x (a int);', /CreateStmt is not supported/],
  ['perform 1; commit;', /COMMIT in a body is not supported/],
  ['new := old;', /the whole row NEW is not assigned to/],
  ['if new is distinct from old then return new; end if;', /a whole row \(NEW\) is not supported/],
  ['perform row_to_json(old);', /not supported/],
  ['insert into log select * from log;', /\* in a body is not supported/],
  ['perform t from t;', /a whole row \(T\) is not supported/],
  ["new.iso_w := ',1.1';", /iso_w is one that the tool itself adds/],
  ['perform xmin from t;', /xmin of the server's own/],
  ["new.words := 'x'::my_enum;", /the type my_enum is not supported/],
  ['perform current_user;', /CURRENT_USER/],
];

describe('a body is refused', () => {
  it.each(REFUSED)('%s', async (body, reason) => {
    const { refused } = await imported(block(body));
    expect(refused.map((each) => each.reason).join('\n')).toMatch(reason);
  });
});

const OTHERS: readonly (readonly [statement: string, reason: RegExp])[] = [
  [trigger('declare r t%rowtype; begin return new; end'), /%rowtype is not supported/],
  [trigger('declare r record; begin select id into r from t; return r; end'), /a trigger returns NEW, OLD or NULL/],
  [trigger('declare c cursor for select id from t; begin open c; return new; end'), /cursors are not supported/],
  ["create function lower(text) returns text language sql as $$ select 'x' $$", /name of the server's or the tool's own/],
  ["create function f() returns text language c as 'lib', 'f'", /not supported/],
  ['create function f() returns text language plpython3u as $$ x $$', /the language plpython3u is not supported/],
  ['create function f() returns trigger language plpgsql security definer as $$ begin return new; end $$', /SECURITY DEFINER/],
  ['create function f() returns trigger language plpgsql set search_path to x as $$ begin return new; end $$', /SET of a function/],
  ['create function f() returns setof int language sql as $$ select id from t $$', /returns rows/],
  ['create function other.f() returns int language sql as $$ select 1 $$', /other\.f is not supported/],
  ["create function f() returns trigger language plpgsql as E'begin return new\\x3b end'", /as it is quoted/],
  ['create constraint trigger c after insert on t for each row execute function f()', /CONSTRAINT TRIGGER is not supported/],
  ['create trigger c instead of insert on seen for each row execute function f()', /INSTEAD OF is not supported/],
  ['create trigger c before insert on t for each row execute function missing()', /the call of missing\(\) is not supported/],
  ['create trigger c before truncate on t execute function f()', /TRUNCATE is not supported/],
  ['create trigger c before update on t for each row when (new is distinct from old) execute function f()', /a whole row \(NEW\)/],
  ['create trigger "~~~z" before update on t for each row execute function f()', /a name of letters/],
];

describe('a function or trigger is refused', () => {
  it.each(OTHERS)('%s', async (statement, reason) => {
    const { refused } = await imported(statement, ...(statement.includes('create trigger c before update') ? [block('')] : []));
    expect(refused.map((each) => each.reason).join('\n')).toMatch(reason);
  });
});

it('functions of the file stand behind the namespace, in whatever quotes the body is, and the clock is the moment of the data', async () => {
  const { schema, approximated, refused } = await imported(
    "create or replace function public.g(n int) returns int language sql as 'select public.h(n)/* now() */+ 1, ''g(1) now()'', $1 -- now()'",
    'create function "h"(n int) returns int language sql as $q$ select "h" ( n ) + case when current_date > now() then 1 end $q$',
  );
  expect(refused).toEqual([]);
  expect(schema.routines!.map(({ text }) => routineSql(text, (name) => `ns."${name}"`))).toEqual([
    `CREATE function ns."g"(n int) returns int language sql as $$select ns."h"(n) + 1, 'g(1) now()', $1  \n$$`,
    `create function ns."h"(n int) returns int language sql as $$ select ns."h" ( n ) + case when date '2026-01-01' > timestamp '2026-01-01 00:00:00' then 1 end \n$$`,
  ]);
  expect(approximated.map(({ line }) => line)).toEqual([100]);
});

it('each refusal has its line in the file', async () => {
  const body = [
    'create function f() returns trigger language plpgsql as $$',
    'begin',
    '  perform 1;',
    "  execute 'x';",
    '  return new;',
    'end $$',
  ];
  const { refused } = await imported(body.join('\n'));
  expect(refused.map(({ line }) => line)).toEqual([3]);
});
