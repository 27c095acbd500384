import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '@sluice/canonical';
import { videosProtocol } from '@sluice/protocols';

/**
 * Answers what is no HTTP request, or has too large headers, where no framework has seen it yet: the socket gets one
 * JSON error and is closed.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const shown =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new GatewayError('headers_too_large', 'The headers are larger than this gateway takes.')
      : new GatewayError('invalid_request', 'This is no valid HTTP request.');
  const body = JSON.stringify(videosProtocol.encodeError(shown));
  socket.end(
    [
      `HTTP/1.1 ${shown.status} ${STATUS_CODES[shown.status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-should-retry: false',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
