import type { IncomingMessage } from 'node:http';
import type { RealtimeSocket } from '@sluice/canonical';
import { WebSocket } from 'ws';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { responseHeaders } from '../http/http-headers.ts';
import { readResponse } from '../http/read-response.ts';
import { UpstreamError } from '../http/upstream-error.ts';
import { realtimeSocketOf } from './realtime-socket.ts';

/** One web socket to be opened at a configured upstream. */
export interface SocketCall {
  /** `ws:` or `wss:`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** From the beginning to the end of the handshake. */
  handshakeMs: number;
  /** Longest message that is read, bytes. */
  frameBytes: number;
  signal: AbortSignal;
}

/** An open socket, or the HTTP answer that came instead. */
export type SocketResponse = { socket: RealtimeSocket } | { response: UpstreamResponse };

/** Longest refusal that is read, and for how long. */
const REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 5_000;

/**
 * Opens a web socket: no redirects, no second try, no compression.
 * @throws {UpstreamError} and nothing else
 */
export function openSocket({ url, headers, handshakeMs, frameBytes, signal }: SocketCall): Promise<SocketResponse> {
  if (signal.aborted) return Promise.reject(new UpstreamError('aborted', 'no', signal.reason));
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const socket = new WebSocket(url, {
      headers,
      maxPayload: frameBytes,
      perMessageDeflate: false,
      followRedirects: false,
      finishRequest: (request) => {
        // `secureConnect` follows where there is TLS; what fails between the two has sent nothing either.
        request.once('socket', (connection) => {
          connection.once(url.startsWith('wss:') ? 'secureConnect' : 'connect', () => (isConnected = true));
        });
        request.end();
      },
    });
    const sent = () => (isConnected ? 'maybe' : 'no');
    // Not that of `ws`, which begins anew with every byte that comes.
    const late = setTimeout(() => {
      end();
      reject(new UpstreamError('timeout', sent(), new Error(`no socket after ${handshakeMs} ms`)));
      // Tells its own error, which nobody waits for any more.
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

    // Told just before `open`, in the same turn.
    socket.once('upgrade', ({ socket: connection }) => {
      socket.once('open', () => {
        end();
        resolve({ socket: realtimeSocketOf(socket, connection) });
      });
    });
    const refused = async (response: IncomingMessage): Promise<void> => {
      clearTimeout(late); // what follows has bounds of its own
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
}

/** Reads an HTTP answer that came instead of a socket; what takes too long or is too large is an answer without a body. */
async function readRefusal(response: IncomingMessage): Promise<UpstreamResponse> {
  const slow = setTimeout(() => response.destroy(), REFUSAL_MS);
  const body = await readResponse(response, REFUSAL_BYTES).catch(() => undefined);
  clearTimeout(slow);
  return { status: response.statusCode ?? 0, headers: responseHeaders(response.headers), body };
}
