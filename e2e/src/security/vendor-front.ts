import { createServer, type IncomingHttpHeaders, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as the vendor gets it. */
export interface SeenRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Names and values as they came, in turn. */
  rawHeaders: string[];
  body: Buffer;
}

/** The vendor's answer to it. */
export interface VendorResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Stands before a vendor, keeps what it is sent, and may answer something else than the vendor. */
export interface VendorFront {
  /** `http://…`, without a path. */
  origin: string;
  seen: SeenRequest[];
  /** Changes a response; by default returns it unchanged. */
  rewrite: (reply: VendorResponse, request: SeenRequest) => VendorResponse;
  close(): void;
}

/** @param target where the vendor listens, once it is known */
export async function startVendorFront(target: () => string): Promise<VendorFront> {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { method = '', url: path = '', rawHeaders } = request;
      const seen = { method, path, rawHeaders, body: await buffer(request) };
      front.seen.push(seen);
      const { status, headers, body } = front.rewrite(await forward(target(), seen), seen);
      const { 'content-length': _length, 'transfer-encoding': _coding, connection: _kept, ...rest } = headers;
      response.writeHead(status, { ...rest, 'content-length': body.byteLength }).end(body);
    };
    // The vendor broke off, and so does this end.
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const front: VendorFront = {
    origin: `http://127.0.0.1:${port}`,
    seen: [],
    rewrite: (reply) => reply,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}

/** Signatures are over the host that the caller has named, so every header goes on as it came. */
function forward(target: string, { method, path, rawHeaders, body }: SeenRequest): Promise<VendorResponse> {
  return new Promise((resolve, reject) => {
    const sent = ask(target + path, { method, headers: rawHeaders, setHost: false, agent: false }, (reply) => {
      const { statusCode: status = 502, headers } = reply;
      buffer(reply).then((bytes) => resolve({ status, headers, body: bytes }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Whether an answer is JSON. */
export function isJson({ headers }: VendorResponse): boolean {
  return headers['content-type']?.includes('json') === true;
}

/** Makes other URLs of those in a JSON answer that lead to an origin. */
export function moveUrls(reply: VendorResponse, from: string, place: (url: string) => string): VendorResponse {
  if (!isJson(reply)) return reply;
  // A backslash ends a URL in JSON within JSON.
  const urls = new RegExp(String.raw`${from.replaceAll('.', String.raw`\.`)}[^"\\]*`, 'g');
  return { ...reply, body: Buffer.from(reply.body.toString().replaceAll(urls, place)) };
}
