import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { says } from '../vendor.ts';
import { sendJson, type UpstreamRequest } from '../text-rig.ts';

/** A request as a vendor got it, whatever its body is. */
export interface VendorRequest {
  path: string;
  /** Names and values as they came, in turn. */
  rawHeaders: string[];
  body: Buffer;
}

/** A vendor of everything that needs no task, which takes whatever it is sent. */
export interface GenerousVendor {
  url: string;
  requests: VendorRequest[];
  /** Connections to it that are open now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a {@link GenerousVendor} on loopback. */
export async function generousVendor(): Promise<GenerousVendor> {
  const requests: VendorRequest[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('error', () => undefined);
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(pieces);
      requests.push({ path, rawHeaders: request.rawHeaders, body });
      if (path.endsWith('/audio/speech')) {
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3-a-kite');
        return;
      }
      const parsed = parse(body);
      const direct = directAnswer(path, parsed);
      if (direct !== undefined) sendJson(response, 200, direct);
      else says('hello')({ path, headers: request.headers, body: parsed, raw: '' } satisfies UpstreamRequest, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>; // the gateway sends objects
  } catch {
    return {};
  }
}

const VECTOR = [0.25, -0.5];

function directAnswer(path: string, body: Record<string, unknown>): unknown {
  if (path.endsWith('/embeddings')) {
    const { input } = body;
    const count = Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
    const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: VECTOR }));
    return { object: 'list', data, model: 'theirs', usage: { prompt_tokens: 3, total_tokens: 3 } };
  }
  if (path.endsWith(':batchEmbedContents')) {
    const { requests } = body;
    return { embeddings: (Array.isArray(requests) ? requests : []).map(() => ({ values: VECTOR })) };
  }
  if (path.endsWith(':embedContent')) return { embedding: { values: VECTOR } };
  if (path.endsWith('/rerank')) {
    const { documents } = body;
    const results = (Array.isArray(documents) ? documents : []).map((_, index) => ({ index, relevance_score: 0.5 }));
    return { id: 'theirs', results, meta: {} };
  }
  if (path.endsWith('/moderations')) {
    const { input } = body;
    const result = { flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } };
    const count = Array.isArray(input) && typeof input[0] === 'string' ? input.length : 1;
    return { id: 'modr-1', model: 'theirs', results: Array.from({ length: count }, () => result) };
  }
  if (/\/audio\/(?:transcriptions|translations)$/.test(path)) return { text: 'a kite' };
  return undefined;
}
