/** The script of the second thread of a check of plume text. */
import { openSync, readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { kvCheckProgram } from './kv-check-program.ts';
import type { KvCheckTask } from './kv-check-program.ts';
import { runSeat } from './kv-team.ts';
import type { WorkerSeat } from './kv-team.ts';

const seat = workerData as WorkerSeat<KvCheckTask>;
const file = openSync(seat.task.file, 'r');
runSeat(seat, (team) =>
  kvCheckProgram(
    team,
    seat.task,
    (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
    () => undefined,
  ),
);
