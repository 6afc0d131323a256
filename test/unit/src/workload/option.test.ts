// --workload: names and options that do not fit are refused with what does.
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../dialects/index.ts';
import { UsageError } from '../../../../core/base/index.ts';
import { WORKLOADS, chosenWorkload } from '../../../../src/workload/option.ts';

const [dialect] = DIALECTS;

describe('--workload', () => {
  it('is refused with a list where no workload has that name', () => {
    expect(() => chosenWorkload('minni', { mode: 'stress' })).toThrow(/Did you mean mini\? Workloads: relational, mini, general, append/);
    expect(() => chosenWorkload('minni', { mode: 'stress' })).toThrow(UsageError);
  });

  it('refuses an option that says nothing to it, and names those that it applies to', () => {
    expect(() => chosenWorkload('relational', { mode: 'stress', objects: 3 })).toThrow(
      /--objects says nothing to --workload relational; it applies to mini, general, append/,
    );
    expect(() => chosenWorkload('mini', { mode: 'stress', operations: 3 })).toThrow(/--operations says nothing/);
    expect(() => chosenWorkload('mini', { mode: 'stress', instrument: 'paper' })).toThrow(/--instrument says nothing/);
    expect(() => chosenWorkload('relational', { mode: 'stress', concurrency: 50 })).toThrow(
      /--concurrency says nothing to --workload relational; it applies to mini, general, append, lwt/,
    );
    expect(() => chosenWorkload('lwt', { mode: 'schedule', concurrency: 50 })).toThrow(
      /--concurrency is a share of sessions at full speed/,
    );
    expect(() => chosenWorkload('append', { mode: 'stress', instrument: undefined, operations: 3 })).not.toThrow();
  });

  it.each(['mini', 'general', 'append'])('%s says the options that choose it again, so that a replay command holds them', async (name) => {
    const workload = await chosenWorkload(name, { mode: 'stress' }).make(
      { mode: 'stress', sessions: 2, objects: 5, distribution: 'zipfian', transactions: 3, concurrency: 50 },
      dialect!,
    );
    expect(workload.words).toBe(`--workload ${name} --objects 5 --distribution zipfian --transactions 3 --concurrency 50`);
    expect(workload.concurrency).toBe(50);
    expect(workload.instrument).toBe('none');
    const testCase = workload.caseOf('1/0');
    expect(testCase.sessions).toHaveLength(2);
    expect(testCase.sessions[0]!.transactions).toHaveLength(3);
    expect(testCase.schema.tables[0]!.rows).toHaveLength(5);
  });

  it('has one row a name', () => {
    expect(new Set(WORKLOADS.map(({ name }) => name)).size).toBe(WORKLOADS.length);
  });
});
