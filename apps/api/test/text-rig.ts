import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiRig, apiRig, type ApiRigOptions, KEYS } from './api-rig.ts';

export interface UpstreamRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  raw: string;
}

export type Script = (request: UpstreamRequest, response: ServerResponse) => void;

export interface ScriptedUpstream {
  url: string;
  requests: UpstreamRequest[];
  script: Script;
  /** Number of requests whose caller disconnected before the end of the response. */
  disconnects: number;
  close(): Promise<void>;
}

export async function scriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      // The cast is safe because the gateway sends JSON objects.
      const body = JSON.parse(raw === '' ? '{}' : raw) as Record<string, unknown>;
      const seen = { path: request.url ?? '', headers: request.headers, body, raw };
      upstream.requests.push(seen);
      response.on('close', () => {
        if (!response.writableFinished) upstream.disconnects += 1;
      });
      upstream.script(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const upstream: ScriptedUpstream = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    script,
    disconnects: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}

/** An API with scripted upstreams. */
export interface TextRig extends ApiRig {
  /** Posts JSON with alice's key. */
  post(at: string, body: unknown, init?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>;
}

/** Starts an API. `config` contains upstreams and models, as in `sluice.yaml`. */
export async function textRig(
  config: NonNullable<ApiRigOptions['config']>,
  more: ApiRigOptions = {},
): Promise<TextRig> {
  const rig = await apiRig({ ...more, config });
  return {
    ...rig,
    post: (at, body, { headers = {}, signal } = {}) =>
      fetch(rig.origin + at, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS.alice}`,
          'content-type': 'application/json',
          'messages-version': '2023-06-01',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function chatResponse(text: string): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'theirs-2025',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
}

export function chatChunk(delta: unknown, finish: string | null = null, more = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'theirs-2025',
    choices,
    ...more,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
