// What is taken from a server's log: lines that tell of an end, logged since the mark.
import { describe, expect, it } from 'vitest';
import { ServerLog } from '../../../../src/reproduce/server-log.ts';

describe("a server's log", () => {
  it('gives the lines since the mark that tell of an end, behind the reason', async () => {
    let text = 'LOG: server process (PID 1) was terminated by signal 11\n';
    const log = new ServerLog(() => text);
    log.mark();
    text +=
      'LOG: checkpoint complete\nLOG: server process (PID 2) was terminated by signal 9: Killed\nERROR: division by zero\nLOG: all server processes terminated; reinitializing\n';
    expect(await log.behind('session s1 was lost')).toBe(
      "session s1 was lost; the server's log says: LOG: server process (PID 2) was terminated by signal 9: Killed | LOG: all server processes terminated; reinitializing",
    );
  });

  it('is awaited, as it may be written later', async () => {
    let looks = 0;
    const log = new ServerLog(() => (++looks < 3 ? 'LOG: ready\n' : 'LOG: ready\nPANIC: could not write\n'));
    expect(await log.words()).toBe('PANIC: could not write');
  });

  it('says nothing where it has no such line, or is not ours', async () => {
    expect(await new ServerLog(() => 'LOG: ready\n').words()).toBeUndefined();
    expect(await new ServerLog(undefined).behind('gone')).toBe('gone');
  });
});
