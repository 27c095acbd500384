import { Socket } from 'node:net';
import { buildConnector } from 'undici';

export interface BegunSockets {
  connect: buildConnector.connector;
  /** Runs a dispatch. Returns the socket that it started to open; undefined if it reused an open connection. */
  during(dispatch: () => void): Socket | undefined;
}

/**
 * Creates a connector that records the socket it starts to open. undici cannot abort a connection that is still being
 * established (undici 8 `client.js`: `abort` exists only from the first byte on), so an earlier abort must close the
 * socket itself. undici calls the connector synchronously in `dispatch`. Without pipelining, each new connection has
 * one waiting request.
 */
export function begunSockets(connectMs: number): BegunSockets {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  let begun: Socket | undefined;
  return {
    connect: (options, callback) => {
      // undici returns the socket, although its types do not say so.
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
