import type { IncomingMessage } from 'node:http';

/** Other upgrades, such as HTTP/2 in clear text, are ignored, as the vendors do. */
export function isRealtimeHandshake({ method, headers, url = '' }: IncomingMessage): boolean {
  const isSession = url.split('?', 1)[0] === '/v1/realtime';
  return method === 'GET' && isSession && headers.upgrade?.toLowerCase() === 'websocket';
}
