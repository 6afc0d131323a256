/**
 * A headless Chromium, spoken to by its DevTools protocol over a pipe: messages of JSON that end with a zero byte. It
 * runs without a network of its own and with a fresh profile.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--remote-debugging-pipe',
];

/** The program's name, undefined where there is none. */
export function findChromium(): string | undefined {
  return PROGRAMS.find((name) => spawnSync(name, ['--version'], { timeout: 600_000 }).status === 0);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class Page {
  private readonly child: ChildProcess;
  private readonly profile: string;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly loads: (() => void)[] = [];
  private id = 0;
  private session: string | undefined;

  constructor(program: string) {
    this.profile = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (part: string) => {
      text += part;
      for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
        const message = JSON.parse(text.slice(0, end)) as Message;
        text = text.slice(end + 1);
        if (message.id !== undefined) this.waiting.get(message.id)?.(message);
        else if (message.method === 'Page.loadEventFired') this.loads.shift()?.();
      }
    });
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.id;
    const message = await new Promise<Message>((resolve) => {
      this.waiting.set(id, resolve);
      (this.child.stdio[3] as Writable).write(
        `${JSON.stringify({ id, method, params, ...(this.session !== undefined && { sessionId: this.session }) })}\0`,
      );
    });
    this.waiting.delete(id);
    if (message.error) throw new Error(`${method}: ${message.error.message}`);
    return message.result ?? {};
  }

  async open(url: string, width: number, height: number, scheme: 'light' | 'dark' = 'light'): Promise<void> {
    if (this.session === undefined) {
      const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
      this.session = String(sessionId);
      await this.send('Page.enable');
    }
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    const loaded = new Promise<void>((resolve) => this.loads.push(resolve));
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })) as {
      result: { value: T };
      exceptionDetails?: { text: string };
    };
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }

  /** The pointer goes to the middle of the first element that a selector finds. */
  async hover(selector: string): Promise<void> {
    const { x, y } = await this.value<{ x: number; y: number }>(
      `(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: 'center' }); const b = e.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`,
    );
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }

  async click(selector: string): Promise<void> {
    await this.hover(selector);
    const { x, y } = await this.value<{ x: number; y: number }>(
      `(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`,
    );
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async press(key: 'Tab' | 'Enter'): Promise<void> {
    const code = { Tab: 9, Enter: 13 }[key];
    for (const type of ['keyDown', 'keyUp'])
      await this.send('Input.dispatchKeyEvent', {
        type,
        key,
        code: key,
        windowsVirtualKeyCode: code,
        ...(key === 'Enter' && type === 'keyDown' && { text: '\r' }),
      });
  }

  /** A picture as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('close', resolve));
    const leader = this.child.pid!;
    // Asked first, since it then ends its helpers itself; one that outlives it would write into the profile while that is removed.
    const asked = this.send('Browser.close').catch(() => undefined);
    await Promise.race([asked.then(() => gone), sleep(60_000, undefined, { ref: false })]);
    killGroup(leader);
    await gone;
    await removeFolder(this.profile);
  }
}

/** Kills what is left of a process group, and is content where nothing is. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Removes a folder into which a dying process may still write: rmSync's own retries do not look for new files. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}
