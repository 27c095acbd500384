import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** What becomes of one HTTP exchange with a vendor. */
export type GateOrder =
  | 'pass'
  /** The request never reaches the vendor, and nobody is told. */
  | 'hold-request'
  /** The vendor has done what was asked; its answer does not come. */
  | 'hold-answer'
  /** The answer begins, and then nothing more comes. */
  | 'hold-body'
  /** The vendor has done what was asked; the connection is reset before its answer comes. */
  | 'lose-answer';

/** A proxy before a vendor that can be told what to do with each exchange. */
export interface VendorGate extends FaultProxy {
  /** `http://…` of the proxy. */
  url: string;
}

/**
 * Starts a {@link VendorGate}.
 * @param order asked for each request, with its head: request line and headers
 */
export async function startVendorGate(port: number, order: (head: string) => GateOrder): Promise<VendorGate> {
  const proxy = await startFaultProxy({ port }, () => {
    let current: GateOrder = 'pass';
    let isHeadSent = false;
    return {
      toServer(chunk) {
        const head = chunk.toString('latin1', 0, 16_384);
        // Clients ask one thing at a time on a connection, and write a head in one piece.
        if (/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(head)) {
          current = order(head);
          isHeadSent = false;
        }
        return current === 'hold-request' ? 'hold' : 'pass';
      },
      toClient(chunk) {
        const decided = current;
        if (decided === 'lose-answer') return 'reset';
        if (decided !== 'hold-answer' && decided !== 'hold-body') return 'pass';
        const body = decided === 'hold-body' && !isHeadSent ? chunk.indexOf('\r\n\r\n') + 4 : 0;
        isHeadSent = true;
        if (decided === 'hold-body' && body === chunk.length) return 'pass';
        current = 'pass'; // what is released goes on as a whole
        return decided === 'hold-answer' ? 'hold' : body + Math.floor((chunk.length - body) / 2);
      },
    };
  });
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}
