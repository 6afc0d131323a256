/** The ready fixtures are plain SQL that every DBMS takes. Each is small enough that its rows are seen at a glance. */
export interface ReadyFixture {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

export const READY_FIXTURES: readonly ReadyFixture[] = [
  {
    name: 'doctors',
    title: 'two doctors on call, of whom one has to stay: write skew',
    sql: `CREATE TABLE doctors (id int PRIMARY KEY, on_call int NOT NULL);
INSERT INTO doctors (id, on_call) VALUES (1, 1), (2, 1);
`,
  },
  {
    name: 'account',
    title: 'one balance that both change: lost update',
    sql: `CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts (id, balance) VALUES (1, 100);
`,
  },
  {
    name: 'transfer',
    title: 'two balances with one sum: read skew',
    sql: `CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts (id, balance) VALUES (1, 50), (2, 50);
`,
  },
  {
    name: 'bookings',
    title: 'a room that is to be booked once: phantom, write skew of predicates',
    sql: `CREATE TABLE bookings (id int PRIMARY KEY, room int NOT NULL, hour int NOT NULL);
INSERT INTO bookings (id, room, hour) VALUES (1, 1, 9);
`,
  },
];
