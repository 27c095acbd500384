import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GatewayError, type RealtimeSocket } from '@sluice/canonical';
import { realtimeSocketOf } from '@sluice/upstreams';
import { WebSocketServer } from 'ws';
import type { PendingUpgrade } from './pending-upgrade.ts';

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** White space in a list (RFC 9110, section 5.6.3). `trim` would remove more than the standard allows. */
const BLANKS = /^[ \t]+|[ \t]+$/g;
/** The WebSocket version of RFC 6455. `ws` also accepts 8, the version of a draft. */
const VERSION = '13';

/**
 * Checks the handshake's headers (RFC 6455, section 4.2.1).
 * @throws GatewayError `invalid_request`, or `upgrade_required` for another version
 */
export function checkHandshake(headers: IncomingHttpHeaders): void {
  if (headers['sec-websocket-version'] !== VERSION) {
    throw new GatewayError('upgrade_required', 'Sec-WebSocket-Version must be 13.');
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw new GatewayError('invalid_request', 'Sec-WebSocket-Key must be 16 bytes in base64.');
  }
  const offered = headers['sec-websocket-protocol']?.split(',').map((item) => item.replaceAll(BLANKS, ''));
  if (offered && (!offered.every((item) => TOKEN.test(item)) || new Set(offered).size < offered.length)) {
    // The message does not quote the header, because one of the values may be an API key.
    throw new GatewayError('invalid_request', 'Sec-WebSocket-Protocol must be a list of distinct values.');
  }
}

/** @returns undefined if the client has disconnected */
export type AcceptSocket = (
  request: IncomingMessage,
  upgrade: PendingUpgrade,
  headers: Readonly<Record<string, string>>,
) => RealtimeSocket | undefined;

/** The only sub-protocol ever selected is `realtime`. The others carry credentials. */
export function createAcceptSocket({ frameBytes, closeMs }: { frameBytes: number; closeMs: number }): AcceptSocket {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: frameBytes,
    closeTimeout: closeMs, // The type declarations lack this option.
    handleProtocols: (offered: Set<string>) => (offered.has('realtime') ? 'realtime' : (false as const)),
  };
  const server = new WebSocketServer(options);
  return (request, upgrade, headers) => {
    let opened: RealtimeSocket | undefined;
    const add = (lines: string[]): void => {
      lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
    };
    server.once('headers', add);
    // `ws` calls back synchronously or not at all.
    server.handleUpgrade(request, upgrade.connection, upgrade.take(), (socket) => {
      opened = realtimeSocketOf(socket, upgrade.connection);
    });
    server.off('headers', add);
    return opened;
  };
}
