import { afterAll, beforeAll, expect } from 'vitest';
import { KEYS } from '../api-rig.ts';
import { type RealtimeRig, realtimeRig } from '../realtime-rig.ts';

/** Starts an API for the surrounding `describe`. Its vendor echoes each message of a session. */
export function useEchoRig(): { readonly rig: RealtimeRig } {
  let rig: RealtimeRig | undefined;
  beforeAll(async () => {
    rig = await realtimeRig({ limits: { realtime_frame_bytes: 100_000, header_bytes: 8_192 } });
    rig.vendor.onOpen = (socket) =>
      // The cast is safe because `ws` delivers messages as buffers.
      socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary }));
  });
  afterAll(async () => rig?.close());
  return {
    get rig() {
      if (!rig) throw new Error('The rig starts before the first test.');
      return rig;
    },
  };
}

const VALID: Readonly<Record<string, string>> = {
  host: 'x',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  authorization: `Bearer ${KEYS.alice}`,
};

/**
 * Encodes a handshake.
 * @param target method and path
 * @param headers override the headers of a valid handshake; an empty value omits the header
 */
export function handshakeHead(target: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ ...VALID, ...headers })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1');
}

/** Checks that a new session opens and relays messages. */
export async function expectOpenSessions(rig: RealtimeRig): Promise<void> {
  const client = await rig.connect();
  client.socket.send('still here');
  await expect.poll(() => client.texts).toEqual(['still here']);
  client.socket.close();
  await expect.poll(() => client.closed).toBeDefined();
}
