import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendJson } from '../text-rig.ts';

export interface VendorRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  raw: string;
}

/** A vendor that stores files in the ways of OpenAI, Anthropic, and Google, and refuses requests with unknown files. */
export interface FilesVendor {
  url: string;
  /** Uploads of content, in their order. */
  uploads: VendorRequest[];
  /** Requests to models. */
  requests: VendorRequest[];
  /** Ids of stored files. */
  stored: Set<string>;
  deleted: string[];
  /** Awaited before an upload is stored. */
  beforeStore: () => Promise<unknown>;
  close(): Promise<void>;
}

const LIFETIME_MS = 48 * 60 * 60_000;

const googleFile = (id: string) => ({
  file: {
    name: `files/${id}`,
    uri: `https://generativelanguage.googleapis.com/v1beta/files/${id}`,
    state: 'ACTIVE',
    expirationTime: new Date(Date.now() + LIFETIME_MS).toISOString(),
  },
});
const openAiFile = (id: string) => ({ id, expires_at: Math.floor((Date.now() + LIFETIME_MS) / 1_000) });

export async function filesVendor(): Promise<FilesVendor> {
  let count = 0;
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => void chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url: path = '', headers } = message;
      void serve({ method, path, headers, raw: Buffer.concat(chunks).toString('latin1') }, response);
    });
  });

  async function serve(request: VendorRequest, response: ServerResponse): Promise<void> {
    const { method, path } = request;
    if (method === 'DELETE') {
      const id = path.slice(path.lastIndexOf('/') + 1);
      vendor.deleted.push(id);
      return sendJson(response, vendor.stored.delete(id) ? 200 : 404, {});
    }
    if (request.headers['x-goog-upload-command'] === 'start') {
      const location = `https://google.example/upload/v1beta/files?upload_id=1`;
      return sendJson(response, 200, {}, { 'x-goog-upload-url': location });
    }
    if (path.includes('/files')) {
      await vendor.beforeStore();
      vendor.uploads.push(request);
      const id = `vendor-${(count += 1)}`;
      vendor.stored.add(id);
      return sendJson(response, 200, path.startsWith('/upload') ? googleFile(id) : openAiFile(id));
    }
    vendor.requests.push(request);
    const missing = request.raw.match(/vendor-\d+/g)?.find((id) => !vendor.stored.has(id));
    return missing === undefined
      ? sendJson(response, 429, { error: { message: 'seen' } })
      : sendJson(response, 403, { error: { code: 403, message: `You may not read ${missing}, or it is gone.` } });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const vendor: FilesVendor = {
    url: `http://127.0.0.1:${port}`,
    uploads: [],
    requests: [],
    stored: new Set(),
    deleted: [],
    beforeStore: () => Promise.resolve(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return vendor;
}
