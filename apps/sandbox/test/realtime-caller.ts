import { WebSocket } from 'ws';

export interface RealtimeCaller {
  socket: WebSocket;
  send(...events: object[]): void;
  /** Resolves with the next event, with text that is not JSON, or with bytes. */
  next(): Promise<unknown>;
  receive(count: number): Promise<unknown[]>;
  /** Resolves with all events up to and including the first event of this type. */
  until(type: string): Promise<unknown[]>;
  closed: Promise<number>;
  close(): void;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Buffers frames until the test reads them. */
export async function realtimeCaller(
  url: string,
  { beta = false, query = 'model=gpt-realtime' }: { beta?: boolean; query?: string },
): Promise<RealtimeCaller> {
  const headers = { authorization: 'Bearer sk-sandbox', ...(beta && { 'openai-beta': 'realtime=v1' }) };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, { headers });
  const frames: unknown[] = [];
  let wake: (() => void) | undefined;
  socket.on('message', (data: Buffer, isBinary) => {
    frames.push(isBinary ? data : parse(data.toString()));
    wake?.();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  async function next(): Promise<unknown> {
    while (frames.length === 0) {
      if (socket.readyState === socket.CLOSED) throw new Error('The session has closed.');
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), closed]);
    }
    return frames.shift();
  }
  return {
    socket,
    send: (...events) => events.forEach((event) => socket.send(JSON.stringify(event))),
    next,
    async receive(count) {
      const taken: unknown[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    async until(type) {
      const taken: unknown[] = [];
      for (;;) {
        const frame = await next();
        taken.push(frame);
        if (Object(frame).type === type) return taken;
      }
    },
    closed,
    close: () => socket.close(),
  };
}

export function deltasOf(events: readonly unknown[]): string[] {
  const deltas = events.map((event): unknown => Object(event).delta);
  return deltas.filter((delta) => typeof delta === 'string');
}
