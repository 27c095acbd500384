import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respondWith } from '../vendor.ts';
import { sendJson, type UpstreamRequest } from '../text-rig.ts';

/** The operator's account at the vendor. */
export const ACCOUNT = 'org-of-the-operator';

/** A request that the vendor received. */
export interface VendorRequest {
  path: string;
  /** Header names and values in the order received. */
  rawHeaders: string[];
  body: Buffer;
}

/** A vendor of all synchronous kinds. It accepts every request. */
export interface PermissiveVendor {
  url: string;
  requests: VendorRequest[];
  /** Whether the response headers repeat the request's headers, as with a misconfigured proxy. */
  echoes: boolean;
  /** If set, every request fails with this status and a message that repeats the request. */
  refusal: number | undefined;
  /** Returns the number of open connections to the vendor. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function permissiveVendor(): Promise<PermissiveVendor> {
  const requests: VendorRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks);
      requests.push({ path, rawHeaders: request.rawHeaders, body });
      const parsed = parse(body);
      if (vendor.echoes) for (const [name, value] of echoOf(request.rawHeaders)) response.setHeader(name, value);
      if (vendor.refusal !== undefined) {
        const message = `You sent ${JSON.stringify([path, request.rawHeaders])} ${body.toString()}`;
        sendJson(response, vendor.refusal, { error: { message, type: 'refused', code: 'refused', status: 'REFUSED' } });
        return;
      }
      if (path.endsWith('/audio/speech')) {
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3-a-kite');
        return;
      }
      const direct = directResponse(path, parsed);
      if (direct !== undefined) sendJson(response, 200, direct);
      else
        respondWith('hello')(
          { path, headers: request.headers, body: parsed, raw: '' } satisfies UpstreamRequest,
          response,
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const vendor: PermissiveVendor = {
    url: `http://127.0.0.1:${port}`,
    requests,
    echoes: false,
    refusal: undefined,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return vendor;
}

/** All received headers, plus headers that identify the vendor's account. */
function echoOf(rawHeaders: readonly string[]): [string, string][] {
  const own = new Set(['host', 'connection', 'content-length', 'content-type', 'transfer-encoding']);
  const received = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !own.has(name.toLowerCase()) ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return [
    ...received,
    ...received.map(([name, value]): [string, string] => [`x-echo-${name}`, value]),
    ['set-cookie', `account=${ACCOUNT}`],
    ['openai-organization', ACCOUNT],
    ['server', ACCOUNT],
    ['via', `1.1 ${ACCOUNT}`],
    ['www-authenticate', `Bearer realm="${ACCOUNT}"`],
    ['x-amzn-trace', ACCOUNT],
  ];
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    // The cast is safe because the gateway sends JSON objects.
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const VECTOR = [0.25, -0.5];

function directResponse(path: string, body: Record<string, unknown>): unknown {
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
