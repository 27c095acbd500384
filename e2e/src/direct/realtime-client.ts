import { type ClientOptions, WebSocket } from 'ws';

export interface RealtimeEvent {
  type: string;
  event_id?: string;
  delta?: string;
  session?: { model?: string };
  response?: { status?: string; usage?: { total_tokens: number; input_tokens: number; output_tokens: number } };
  error?: { code: string | null; message: string; event_id: string | null };
}

/** A WebSocket client that records events. */
export interface RealtimeClient {
  socket: WebSocket;
  events: RealtimeEvent[];
  /** Received binary frames. */
  binary: Buffer[];
  closed: Promise<[code: number, reason: string]>;
  send(event: object): void;
  /** Sends a text and requests a response to it. */
  request(text: string, modality?: 'text' | 'audio'): void;
  /** Waits until `count` events of this type have arrived, and returns the last. */
  event(type: string, count?: number): Promise<RealtimeEvent>;
}

/** @throws Error if the handshake is rejected */
export async function openRealtime(
  url: string,
  options: ClientOptions,
  protocols: string[] = [],
): Promise<RealtimeClient> {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false, maxPayload: 0, ...options });
  const events: RealtimeEvent[] = [];
  const binary: Buffer[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) binary.push(data as Buffer); // The cast is safe because `ws` passes a buffer.
    // The cast is safe because every event of the sandbox has a type.
    else events.push(JSON.parse((data as Buffer).toString()) as RealtimeEvent);
    for (const resolve of waiting.splice(0)) resolve();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  const send = (event: object): void => socket.send(JSON.stringify(event));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => undefined);
  return {
    socket,
    events,
    binary,
    closed,
    send,
    request: (text, modality = 'text') => {
      const content = [{ type: 'input_text', text }];
      send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
      send({ type: 'response.create', response: { output_modalities: [modality] } });
    },
    event: async (type, count = 1) => {
      for (;;) {
        const match = events.filter((event) => event.type === type)[count - 1];
        if (match) return match;
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          void closed.then(([code]) => reject(new Error(`closed with ${code} before ${type}`)));
        });
      }
    },
  };
}
