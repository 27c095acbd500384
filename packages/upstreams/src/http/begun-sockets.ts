import { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Tells which connection a dispatch has begun to open. */
export interface BegunSockets {
  /** For undici: opens connections. */
  connect: buildConnector.connector;
  /** Runs a dispatch; gives the socket that it began to open, if it did not go to one that is open already. */
  during(dispatch: () => void): Socket | undefined;
}

/**
 * Makes a connector that remembers what it began. undici offers no way to end a connection that is coming about
 * (undici 8 `client.js`: `abort` is there only from the first byte on), so a call that is stopped before that has to
 * close its socket itself. undici calls the connector within `dispatch`, and each connection that comes about has one
 * request waiting for it: nothing is pipelined.
 */
export function begunSockets(connectMs: number): BegunSockets {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  let begun: Socket | undefined;
  return {
    connect: (options, callback) => {
      // undici gives the socket back, though its types do not say so.
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
