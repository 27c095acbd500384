import type { IncomingMessage } from 'node:http';

/**
 * Whether a request asks for a session. All else that would upgrade, such as HTTP/2 in clear text, is served as it is, as the
 * vendors do.
 */
export function isRealtimeHandshake({ method, headers, url = '' }: IncomingMessage): boolean {
  const isSession = url.split('?', 1)[0] === '/v1/realtime';
  return method === 'GET' && isSession && headers.upgrade?.toLowerCase() === 'websocket';
}
