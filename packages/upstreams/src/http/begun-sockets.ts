import { Socket } from 'node:net';
import { buildConnector } from 'undici';

export interface BegunSockets {
  connect: buildConnector.connector;
  /** Runs a dispatch and returns the socket it started to open, if it did not use an open one. */
  during(dispatch: () => void): Socket | undefined;
}

/**
 * Creates a connector that remembers the socket it started to open. undici cannot abort a connection that is still
 * being established (undici 8 `client.js`: `abort` exists only from the first byte on), so a call aborted before that
 * must close its socket itself. undici calls the connector within `dispatch`, and with no pipelining each new
 * connection has one waiting request.
 */
export function begunSockets(connectMs: number): BegunSockets {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  let begun: Socket | undefined;
  return {
    connect: (options, callback) => {
      // undici returns the socket, though its types do not say so.
      const socket: unknown = connect(options, callback);
      begun = socket instanceof Socket ? socket : undefined;
    },
    during: (dispatch) => {
      begun = undefined;
      dispatch();
      const socket = begun;
      begun = undefined;
      return socket;
    },
  };
}
