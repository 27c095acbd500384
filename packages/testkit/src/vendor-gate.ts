import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** How to handle one HTTP exchange with a vendor. */
export type GateOrder =
  | 'pass'
  /** The request never reaches the vendor. */
  | 'hold-request'
  /** The vendor handles the request, but its response never arrives. */
  | 'hold-response'
  /** The response starts and then stalls. */
  | 'hold-body'
  /** The vendor handles the request, but the connection is reset before the response arrives. */
  | 'lose-response';

/** A proxy in front of a vendor that controls each HTTP exchange. */
export interface VendorGate extends FaultProxy {
  /** The proxy's URL, `http://…`. */
  url: string;
}

/** @param order called for each request with its head (request line and headers) */
export async function startVendorGate(port: number, order: (head: string) => GateOrder): Promise<VendorGate> {
  const proxy = await startFaultProxy({ port }, () => {
    let current: GateOrder = 'pass';
    let isHeadSent = false;
    return {
      toServer(chunk) {
        const head = chunk.toString('latin1', 0, 16_384);
        // Clients send only one request at a time on a connection, and send its head in one chunk.
        if (/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(head)) {
          current = order(head);
          isHeadSent = false;
        }
        return current === 'hold-request' ? 'hold' : 'pass';
      },
      toClient(chunk) {
        const action = current;
        if (action === 'lose-response') return 'reset';
        if (action !== 'hold-response' && action !== 'hold-body') return 'pass';
        const body = action === 'hold-body' && !isHeadSent ? chunk.indexOf('\r\n\r\n') + 4 : 0;
        isHeadSent = true;
        if (action === 'hold-body' && body === chunk.length) return 'pass';
        current = 'pass'; // After a release, the rest of the data passes.
        return action === 'hold-response' ? 'hold' : body + Math.floor((chunk.length - body) / 2);
      },
    };
  });
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}
