import { type ClientOptions, WebSocket } from 'ws';

/** A server's event; only what tests look at. */
export interface RealtimeEvent {
  type: string;
  event_id?: string;
  delta?: string;
  session?: { model?: string };
  response?: { status?: string; usage?: { total_tokens: number; input_tokens: number; output_tokens: number } };
  error?: { code: string | null; message: string; event_id: string | null };
}

/** A plain client of realtime sessions that records events. */
export interface RealtimeClient {
  socket: WebSocket;
  events: RealtimeEvent[];
  /** Frames of bytes. */
  binary: Buffer[];
  closed: Promise<[code: number, reason: string]>;
  say(event: object): void;
  /** Requests a response to a text. */
  ask(text: string, modality?: 'text' | 'audio'): void;
  /** Waits for an event of a type that has not been waited for yet. */
  recorded(type: string, count?: number): Promise<RealtimeEvent>;
}

/** Opens a session. @throws Error for an answer that is no 101 */
export async function openRealtime(
  url: string,
  options: ClientOptions,
  protocols: string[] = [],
): Promise<RealtimeClient> {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false, maxPayload: 0, ...options });
  const events: RealtimeEvent[] = [];
  const binary: Buffer[] = [];
  const wake: (() => void)[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) binary.push(data as Buffer); // `ws` gives a buffer
    else events.push(JSON.parse((data as Buffer).toString()) as RealtimeEvent); // as above; the sandbox's events
    for (const one of wake.splice(0)) one();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  const say = (event: object): void => socket.send(JSON.stringify(event));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => undefined);
  return {
    socket,
    events,
    binary,
    closed,
    say,
    ask: (text, modality = 'text') => {
      const content = [{ type: 'input_text', text }];
      say({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
      say({ type: 'response.create', response: { output_modalities: [modality] } });
    },
    recorded: async (type, count = 1) => {
      for (;;) {
        const found = events.filter((event) => event.type === type)[count - 1];
        if (found) return found;
        await new Promise<void>((resolve, reject) => {
          wake.push(resolve);
          void closed.then(([code]) => reject(new Error(`closed with ${code} before ${type}`)));
        });
      }
    },
  };
}
