// This process runs the commands that its parent sends, one after the other, and answers each with { code, stdout, stderr }.
// It ends when its parent disconnects or ends.
import { main } from '../../dist/app/main.js';

/** A command listens to these events; its listeners are removed after its end. */
const HEARD = ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP'];

/** Each command adds a listener for the end of its process, and here many commands share one process. */
process.setMaxListeners(0);
/** What the command that runs has written. */
let said = { stdout: '', stderr: '' };
// Node writes a warning past process.stderr.
process.on('warning', (warning) => (said.stderr += `${warning.stack}\n`));
process.on('message', (message) => void run(message));

async function run({ args, env }) {
  said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'])
    process[stream].write = (text, ...rest) => {
      said[stream] += text;
      rest.findLast((each) => typeof each === 'function')?.();
      return true;
    };
  const before = Object.keys(env).map((name) => [name, process.env[name]]);
  Object.assign(process.env, env);
  const code = await main(['node', 'anomalist', ...args]);
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  for (const name of HEARD) process.removeAllListeners(name);
  for (const stream of ['stdout', 'stderr']) process[stream].removeAllListeners('error');
  process.send({ code, ...said });
}
process.on('disconnect', () => process.exit());
