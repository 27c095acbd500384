import { connect } from 'node:net';

/** A PNG signature followed by padding. */
export const PNG: Buffer = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(92, 7)]);

export interface RawResponse {
  status: number;
  headers: Headers;
  /** Empty if there is none. */
  body: string;
  /** All received bytes. */
  text: string;
}

/**
 * Sends bytes over a separate socket and reads until the server closes it.
 * @param disconnects if true, disconnects once everything is sent, without waiting for a response
 */
export function rawHttp(port: number, chunks: readonly (string | Buffer)[], disconnects = false): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const segment of chunks) socket.write(segment);
      if (disconnects) socket.end(() => socket.destroy());
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the client is still sending. Only the response matters.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(parseResponse(text)));
  });
}

/**
 * Encodes a POST request with a multipart body and the boundary `b`. @param parts complete parts, without boundaries
 */
export function multipartRequest(key: string, parts: readonly (string | Buffer)[], closing = '--b--\r\n'): Buffer {
  const body = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from('--b\r\n'), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from(closing),
  ]);
  return Buffer.concat([head(key, 'multipart/form-data; boundary=b', `content-length: ${body.byteLength}`), body]);
}

/** Encodes the request line and headers of `POST /v1/videos`. */
export function head(key: string, type: string, ...more: string[]): Buffer {
  const lines = ['POST /v1/videos HTTP/1.1', 'host: x', `authorization: Bearer ${key}`, `content-type: ${type}`];
  return Buffer.from([...lines, 'connection: close', ...more, '', ''].join('\r\n'));
}

export function field(name: string, value: string): string {
  return `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

export function file(name: string, bytes: Buffer = PNG, filename = 'a.png'): Buffer {
  const top = `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([Buffer.from(top), bytes]);
}

function parseResponse(text: string): RawResponse {
  const interim = /^HTTP\/1\.1 100 [^\r]*\r\n\r\n/;
  const final = text.replace(interim, '');
  const end = final.indexOf('\r\n\r\n');
  const [first = '', ...lines] = final.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, body: final.slice(end + 4), text };
}
