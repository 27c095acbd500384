import { Socket } from 'node:net';
import { buildConnector } from 'undici';

export interface OpeningSockets {
  connect: buildConnector.connector;
  /** Runs a dispatch. Returns the socket that it started to open; undefined if it reused an open connection. */
  during(dispatch: () => void): Socket | undefined;
}

/**
 * Creates a connector that records the socket that it starts to open. undici cannot abort a call while its connection
 * is being established (in undici 8 `client.js`, `abort` exists only from the first byte on). An early abort must
 * therefore close the socket directly. undici calls the connector synchronously in `dispatch`. Without pipelining, each
 * new connection has one waiting request.
 */
export function openingSockets(connectMs: number): OpeningSockets {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  let opening: Socket | undefined;
  return {
    connect: (options, callback) => {
      // undici returns the socket here, although its types do not say so.
      const socket: unknown = connect(options, callback);
      opening = socket instanceof Socket ? socket : undefined;
    },
    during: (dispatch) => {
      opening = undefined;
      dispatch();
      const socket = opening;
      opening = undefined;
      return socket;
    },
  };
}
