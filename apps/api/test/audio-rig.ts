import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEYS } from './api-rig.ts';

export interface RecordedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** The bytes received up to now. */
  readonly body: Buffer;
  isComplete: boolean;
  /** Whether the caller disconnected before it had the response. */
  hasDisconnected: boolean;
}

/** An upstream with scripted responses, sent after the complete request or before. */
export interface AudioUpstream {
  url: string;
  recorded: RecordedRequest[];
  /** Called when a request is complete. */
  response: (request: RecordedRequest, response: ServerResponse) => void;
  /** Called on a request's first byte. */
  early: ((request: RecordedRequest, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

export async function audioUpstream(reply: AudioUpstream['response']): Promise<AudioUpstream> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const recorded: RecordedRequest = {
      path: request.url ?? '',
      headers: request.headers,
      // Concatenated on access, because doing it for each chunk would take longer than the upload.
      get body() {
        return Buffer.concat(chunks);
      },
      isComplete: false,
      hasDisconnected: false,
    };
    upstream.recorded.push(recorded);
    request.once('data', () => upstream.early?.(recorded, response));
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('close', () => void (recorded.hasDisconnected = !response.writableFinished));
    request.on('end', () => {
      recorded.isComplete = true;
      if (!response.headersSent) upstream.response(recorded, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const upstream: AudioUpstream = {
    url: `http://127.0.0.1:${port}`,
    recorded: [],
    response: reply,
    early: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}

export type Part = [name: string, value: string | { filename: string; bytes: string | Buffer; type?: string }];

/** Encodes a form with the parts in the given order. */
export function formOf(parts: readonly Part[], end = '--b--\r\n'): Buffer {
  const encodedParts = parts.flatMap(([name, value]) => {
    if (typeof value === 'string') {
      return [Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)];
    }
    const { filename, bytes, type = 'application/octet-stream' } = value;
    const head = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: ${type}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')];
  });
  return Buffer.concat([...encodedParts, Buffer.from(end)]);
}

export const AUDIO: Part = ['file', { filename: 'kite.wav', bytes: 'RIFF-the-kite' }];

export function postForm(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'multipart/form-data; boundary=b', ...headers },
    body: new Uint8Array(body),
  });
}
