import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '@sluice/canonical';
import { videosProtocol } from '@sluice/protocols';
import { newRequestId, requestIdHeaders } from '../http/request-id.ts';

/**
 * Answers what is no HTTP request, or has too large headers, where no framework has seen it yet: the socket gets one
 * JSON error and is closed.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Whoever has opened a connection ahead and said nothing has asked nothing: an answer would be taken for that of the
  // request that comes just then.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isUnused || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const shown = shownError(error.code);
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

function shownError(code: string | undefined): GatewayError {
  switch (code ?? '') {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('headers_too_large', 'The headers are larger than this gateway takes.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('invalid_request', 'The request took too long to arrive.');
    default:
      return new GatewayError('invalid_request', 'This is no valid HTTP request.');
  }
}

/** An error must not land in the middle of a body that is on its way. Node's own answer asks the same field. */
function isAnswering(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return (
    typeof response === 'object' && response !== null && 'headersSent' in response && response.headersSent === true
  );
}
