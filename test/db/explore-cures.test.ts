/**
 * Cures of a file's transactions on a real server: what stops the race by hand is told to, and what does not is not, whatever
 * other difference of the same transactions it may stop. Every order of the programs is run, so nothing here hangs on a race.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { TriedCure } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** Two owners may leave at once, each having counted the other. Of two who remove one member one finds nobody: another difference. */
const OWNERS = `
-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE members (
  id int PRIMARY KEY, organization_id int NOT NULL, user_id int NOT NULL, role varchar(10) NOT NULL,
  UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
-- @data
INSERT INTO organizations (id, name) VALUES (1, 'acme');
INSERT INTO members (id, organization_id, user_id, role) VALUES (1, 1, 1, 'owner'), (2, 1, 2, 'owner');
-- @transaction remove-member
-- @parameter :member key of members
SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;
-- @invariant every-organization-has-an-owner
SELECT o.id FROM organizations AS o
WHERE NOT EXISTS (SELECT 1 AS one FROM members AS m WHERE m.organization_id = o.id AND m.role = 'owner');
`;

/** One coupon is used by two orders that are completed at once. Of two who complete one order one finds it completed. */
const COUPON = `
-- @schema
CREATE TABLE coupons (id int PRIMARY KEY, code varchar(10) NOT NULL);
CREATE TABLE orders (
  id int PRIMARY KEY, coupon_id int, status varchar(10) NOT NULL,
  FOREIGN KEY (coupon_id) REFERENCES coupons (id)
);
CREATE INDEX orders_by_coupon ON orders (coupon_id);
-- @data
INSERT INTO coupons (id, code) VALUES (1, 'a');
INSERT INTO orders (id, coupon_id, status) VALUES (1, 1, 'open'), (2, 1, 'open');
-- @transaction complete
-- @parameter :order key of orders
SELECT coupon_id INTO :c FROM orders WHERE id = :order;
SELECT count(*) INTO :used FROM orders WHERE coupon_id = :c AND status = 'completed';
IF :used >= 1 ROLLBACK;
UPDATE orders SET status = 'completed' WHERE id = :order;
-- @invariant used-once
SELECT c.id FROM coupons AS c WHERE (SELECT count(*) FROM orders AS o WHERE o.coupon_id = c.id AND o.status = 'completed') > 1;
`;

describeEachServer(
  'cures',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    async function cured(text: string): Promise<{ readonly cures: readonly TriedCure[]; readonly about: string }> {
      const file = join(suite.folder, 'cured.sql');
      writeFileSync(file, text);
      const report = await exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: ['read-committed'], orders: 'pruned', workers: 2, draws: 1, cures: true },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      const [pair] = report.levels[0]!.together!;
      const about = exploreText(report);
      expect([pair!.answer, pair!.breaks.length], about).toEqual(['not safe', 1]);
      return { cures: pair!.cures!, about };
    }

    const isCure = ({ stops, keeps, evens, unseen, why }: TriedCure): boolean =>
      why === undefined && (stops || keeps || evens || unseen) === true;

    it.each([
      ['the last owner leaves', OWNERS, 'organizations'],
      ['a coupon is counted over orders', COUPON, 'coupons'],
    ])('are those that stop it by hand, where %s', async (_, text, parent) => {
      const { cures, about } = await cured(text);
      const of = (part: string): readonly TriedCure[] => cures.filter(({ what }) => what.includes(part));
      // A row that each locks for itself, and a snapshot that lacks the other's row, stop only what two do to one row.
      expect(of('FOR UPDATE on statement 1').map(isCure), about).toEqual([false]);
      expect(of('REPEATABLE READ').map(isCure), about).toEqual([false]);
      expect(of('SERIALIZABLE').map(isCure), about).toEqual([true]);
      const locks = of(`a lock on the row of ${parent}`);
      expect(locks.some(isCure), about).toBe(true);
      expect(locks.find(isCure)!.sql![0], about).toMatch(/^SELECT id FROM \w+ WHERE id = .* FOR UPDATE$/);
      for (const advisory of of('an advisory lock')) expect(isCure(advisory), about).toBe(true);
      for (const cure of cures.filter(isCure)) {
        expect(cure.fresh, about).toBeGreaterThan(0);
        expect(cure.before.differing, about).toBeGreaterThan(0);
        expect(cure.after, about).toEqual({ differing: 0, programs: cure.before.programs });
      }
      // A cure that is said not to stop it was seen to break the invariant.
      for (const cure of cures.filter((each) => each.why === undefined && !isCure(each)))
        expect(cure.after.differing, about).toBeGreaterThan(0);
      expect(about).not.toMatch(/does not stop it: [^()]*\(not tried/);
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, once: true },
);
