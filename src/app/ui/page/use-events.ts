/** What the server tells as it happens. A connection that broke is made anew by the browser; what was told then begins again. */
import { useEffect, useRef, useState } from 'preact/hooks';

export type Listeners = Readonly<Record<string, (data: never) => void>>;

export interface Stream {
  /** The server does not answer. */
  readonly lost: boolean;
  close(): void;
}

/** `begun`: nothing of what was told before is to be kept. */
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
