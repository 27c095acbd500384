import { createServer, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Serves HTTP/1.1 without `node:http`, which costs more than some of the measured servers. It discards request bodies
 * and calls `onRequest` when a request is complete. Clients must not pipeline requests.
 * @returns the server's URL
 */
export async function servePlainHttp(onRequest: (path: string, socket: Socket) => void): Promise<string> {
  const server = createServer({ noDelay: true }, (socket) => {
    const reader = createReader((path) => onRequest(path, socket));
    socket.on('data', reader);
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
}

/** Returns a function that receives the bytes of one connection. */
function createReader(onComplete: (path: string) => void): (bytes: Buffer) => void {
  let head = '';
  let path: string | undefined;
  /** Body bytes still expected; undefined for a chunked body. */
  let remaining: number | undefined;
  let tail: Buffer = Buffer.alloc(0);

  return (bytes) => {
    let body = bytes;
    if (path === undefined) {
      const start = head.length;
      head += bytes.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/1.1'));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      remaining = length === undefined && /\r\ntransfer-encoding:/i.test(head) ? undefined : Number(length ?? 0);
      body = bytes.subarray(end + HEAD_END.length - start);
      tail = Buffer.alloc(0);
    }
    if (remaining === undefined) tail = lastBytes(tail, body);
    else remaining -= body.byteLength;
    if (remaining === undefined ? !tail.equals(LAST_CHUNK) : remaining > 0) return;
    const done = path;
    path = undefined;
    head = '';
    onComplete(done);
  };
}

function lastBytes(tail: Buffer, bytes: Buffer): Buffer {
  const count = LAST_CHUNK.byteLength;
  return Buffer.from((bytes.byteLength < count ? Buffer.concat([tail, bytes]) : bytes).subarray(-count));
}
