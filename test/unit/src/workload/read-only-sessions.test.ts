import { describe, expect, it } from 'vitest';
import { contentsOf, isQuery, isWrite } from '../../../../core/sql/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { countSteps, generateCase } from '../../../../schema-gen/index.ts';
import { spreadOver } from '../../../../src/workload/read-only-sessions.ts';

const PRIMARY = { readOnly: false };
const STANDBY = { readOnly: true };

describe('a case for a primary and its standbys', () => {
  it('has queries without locks for each write of a session on a standby, and all else as it was', () => {
    let changed = 0;
    for (let n = 0; n < 200; n++) {
      const testCase = generateCase(`spread/${n}`, { mode: 'schedule' });
      const spread = spreadOver(testCase, [PRIMARY, STANDBY, STANDBY]);
      expect(spread.schema).toBe(testCase.schema);
      expect(spread.sessions.map(countSteps)).toEqual(testCase.sessions.map(countSteps));
      spread.sessions.forEach((session, s) => {
        expect(session.endpoint).toBe(s % 3);
        if (s % 3 === 0) return expect(session.transactions).toBe(testCase.sessions[s]!.transactions);
        for (const statement of session.transactions.flatMap(({ statements }) => statements)) {
          expect(isWrite(statement)).toBe(false);
          expect(contentsOf(statement).queries.filter((query) => query.kind === 'select' && query.lock !== undefined)).toEqual([]);
          if (isQuery(statement)) expect(postgres.print(statement)).not.toMatch(/^\s*(INSERT|UPDATE|DELETE)|FOR (UPDATE|SHARE)/);
        }
        changed += testCase.sessions[s]!.transactions.flatMap(({ statements }) => statements).filter(isWrite).length;
      });
    }
    expect(changed).toBeGreaterThan(100);
  });

  it('is the case itself where there is one endpoint', () => {
    const testCase = generateCase('spread', { mode: 'schedule' });

    expect(spreadOver(testCase, [PRIMARY])).toBe(testCase);
  });
});
