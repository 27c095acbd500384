import { createServer, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface SeenRequest {
  method: string;
  /** Includes the query string. */
  path: string;
  /** Header names and values alternate. */
  rawHeaders: string[];
  body: Buffer;
}

export interface VendorResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A proxy in front of a vendor. It records requests and can change responses. */
export interface VendorFront {
  origin: string;
  seen: SeenRequest[];
  /** Changes a response. The default returns it unchanged. */
  rewrite: (reply: VendorResponse, request: SeenRequest) => VendorResponse;
  close(): void;
}

/** @param target returns the vendor's origin */
export async function startVendorFront(target: () => string): Promise<VendorFront> {
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const { method = '', url: path = '', rawHeaders } = request;
      const seen = { method, path, rawHeaders, body: await buffer(request) };
      front.seen.push(seen);
      const { status, headers, body } = front.rewrite(await forward(target(), seen), seen);
      const { 'content-length': _length, 'transfer-encoding': _coding, connection: _connection, ...rest } = headers;
      response.writeHead(status, { ...rest, 'content-length': body.byteLength }).end(body);
    };
    // The request failed because the vendor disconnected.
    respond().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
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

/** Forwards all headers unchanged, because signatures cover the `host` header. */
function forward(target: string, { method, path, rawHeaders, body }: SeenRequest): Promise<VendorResponse> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(target + path, { method, headers: rawHeaders, setHost: false, agent: false }, (reply) => {
      const { statusCode: status = 502, headers } = reply;
      buffer(reply).then((bytes) => resolve({ status, headers, body: bytes }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function isJson({ headers }: VendorResponse): boolean {
  return headers['content-type']?.includes('json') === true;
}

/** Replaces all URLs of an origin in a JSON response. */
export function moveUrls(reply: VendorResponse, from: string, replacement: (url: string) => string): VendorResponse {
  if (!isJson(reply)) return reply;
  // In a JSON document that is encoded as a string, URLs end with a backslash.
  const urls = new RegExp(String.raw`${from.replaceAll('.', String.raw`\.`)}[^"\\]*`, 'g');
  return { ...reply, body: Buffer.from(reply.body.toString().replaceAll(urls, replacement)) };
}
