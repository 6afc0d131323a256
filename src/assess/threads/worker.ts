/** The script of the second thread of a check of plume text. */
import { openSync, readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { kvCheckProgram } from './program.ts';
import type { KvCheckTask } from './program.ts';
import { runSeat } from './thread-group.ts';
import type { WorkerSeat } from './thread-group.ts';

const seat = workerData as WorkerSeat<KvCheckTask>;
const file = openSync(seat.task.file, 'r');
runSeat(seat, (threadGroup) =>
  kvCheckProgram(
    threadGroup,
    seat.task,
    (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
    () => undefined,
  ),
);
