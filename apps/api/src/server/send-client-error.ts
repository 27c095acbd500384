import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '@sluice/canonical';
import { videosProtocol } from '@sluice/protocols';
import { inBytes } from '../http/form-limits.ts';
import { newRequestId, requestIdHeaders } from '../http/request-id.ts';

/** Responds to invalid HTTP and to headers that are too large. Fastify never receives these requests. */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket, maxHeaderBytes: number): void {
  // If the client has sent nothing, it would read an error as the response to its next request.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isUnused || !socket.writable || isResponding(socket)) {
    socket.destroy();
    return;
  }
  const shown = shownError(error.code, maxHeaderBytes);
  const body = JSON.stringify(videosProtocol.encodeError(shown));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...requestIdHeaders(newRequestId()),
    'x-should-retry': 'false',
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${shown.status} ${STATUS_CODES[shown.status] ?? ''}`, ...head, '', body].join('\r\n'));
}

function shownError(code: string | undefined, maxHeaderBytes: number): GatewayError {
  switch (code ?? '') {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError(
        'headers_too_large',
        `The path and the headers must be at most ${inBytes(maxHeaderBytes)} in total.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('invalid_request', 'The request was not received in time. Retry the request.');
    default:
      return new GatewayError('invalid_request', 'The request is not valid HTTP.');
  }
}

/** Whether a response is being sent. An error would corrupt its body. Node checks the same field. */
function isResponding(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return (
    typeof response === 'object' && response !== null && 'headersSent' in response && response.headersSent === true
  );
}
