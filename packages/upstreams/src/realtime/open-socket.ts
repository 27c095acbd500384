import type { IncomingMessage } from 'node:http';
import type { RealtimeSocket } from '@sluice/canonical';
import { WebSocket } from 'ws';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { responseHeaders } from '../http/http-headers.ts';
import { readResponse } from '../http/read-response.ts';
import { UpstreamError } from '../http/upstream-error.ts';
import { realtimeSocketOf } from './realtime-socket.ts';

interface SocketCall {
  /** A `ws:` or `wss:` URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  handshakeMs: number;
  /** Maximum message size, in bytes. */
  frameBytes: number;
  signal: AbortSignal;
}

type SocketResponse = { socket: RealtimeSocket } | { response: UpstreamResponse };

const REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 5_000;

/** Opens a WebSocket without compression, redirects, or retries. @throws {UpstreamError} and no other errors */
export type OpenSocket = (call: SocketCall) => Promise<SocketResponse>;

export const openSocket: OpenSocket = ({ url, headers, handshakeMs, frameBytes, signal }) => {
  if (signal.aborted) return Promise.reject(new UpstreamError('aborted', 'no', signal.reason));
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const socket = new WebSocket(url, {
      headers,
      maxPayload: frameBytes,
      perMessageDeflate: false,
      followRedirects: false,
      finishRequest: (request) => {
        // With TLS, nothing of the request is sent before `secureConnect`.
        request.once('socket', (connection) => {
          connection.once(url.startsWith('wss:') ? 'secureConnect' : 'connect', () => (isConnected = true));
        });
        request.end();
      },
    });
    const sent = () => (isConnected ? 'maybe' : 'no');
    // The timeout in `ws` cannot be used, because it restarts with each received byte.
    const late = setTimeout(() => {
      end();
      reject(new UpstreamError('timeout', sent(), new Error(`no socket after ${handshakeMs} ms`)));
      // This causes an error event, which is ignored after the rejection above.
      socket.terminate();
    }, handshakeMs);
    const end = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(new UpstreamError('aborted', sent(), signal.reason));
      socket.terminate();
    };
    signal.addEventListener('abort', stop);

    // This event is emitted immediately before `open`, in the same tick.
    socket.once('upgrade', ({ socket: connection }) => {
      socket.once('open', () => {
        end();
        resolve({ socket: realtimeSocketOf(socket, connection) });
      });
    });
    const refused = async (response: IncomingMessage): Promise<void> => {
      clearTimeout(late); // Reading the body has its own limits.
      const reply = await readRefusal(response);
      end();
      resolve({ response: reply });
      socket.terminate();
    };
    socket.once('unexpected-response', (_request, response) => void refused(response));
    socket.on('error', (error) => {
      end();
      reject(new UpstreamError(isConnected ? 'reset' : 'connect', sent(), error));
    });
  });
};

/** Reads the HTTP response to a failed upgrade. Discards a body that is too slow or too large. */
async function readRefusal(response: IncomingMessage): Promise<UpstreamResponse> {
  const slow = setTimeout(() => response.destroy(), REFUSAL_MS);
  const body = await readResponse(response, REFUSAL_BYTES).catch(() => undefined);
  clearTimeout(slow);
  return { status: response.statusCode ?? 0, headers: responseHeaders(response.headers), body };
}
