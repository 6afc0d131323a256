/**
 * Receives the events of the server as they happen. The browser restores a broken connection, and the events then begin
 * anew.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

export type Listeners = Readonly<Record<string, (data: never) => void>>;

export interface Stream {
  /** True while the server does not answer. */
  readonly lost: boolean;
  close(): void;
}

/** `begun` is called when a connection opens. Everything received before is then out of date. */
export function useEvents(path: string, listeners: Listeners, begun: () => void = () => {}): Stream {
  const [lost, setLost] = useState(false);
  const heard = useRef({ listeners, begun });
  heard.current = { listeners, begun };
  const source = useRef<EventSource | undefined>(undefined);
  useEffect(() => {
    const events = new EventSource(`./${path}`);
    source.current = events;
    events.addEventListener('open', () => {
      setLost(false);
      heard.current.begun();
    });
    events.addEventListener('error', () => setLost(true));
    for (const name of Object.keys(listeners)) {
      events.addEventListener(name, (event) => heard.current.listeners[name]!(JSON.parse((event as MessageEvent<string>).data) as never));
    }
    return () => events.close();
  }, [path]);
  return { lost, close: () => source.current?.close() };
}
