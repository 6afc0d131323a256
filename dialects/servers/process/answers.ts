/** Whether a port of 127.0.0.1 accepts connections, for servers whose log does not say that they are ready. */
import { connect } from 'node:net';

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (yes: boolean): void => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
