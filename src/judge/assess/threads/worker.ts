/** The script of the second thread of a check of plume text. */
import { openSync, readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { kvCheckProgram } from './program.ts';
import type { KvCheckTask } from './program.ts';
import { runWorker } from './thread-group.ts';
import type { WorkerContext } from './thread-group.ts';

const context = workerData as WorkerContext<KvCheckTask>;
const file = openSync(context.task.file, 'r');
runWorker(context, (threadGroup) =>
  kvCheckProgram(threadGroup, context.task, (buffer, position) => readSync(file, buffer, 0, buffer.length, position), {
    progress: () => undefined,
  }),
);
