import { connect } from 'node:net';

/** A Redis reply. Error replies are thrown as {@link RedisReplyError}. */
export type RedisReply = string | number | null | RedisReply[];

/** An error reply (e.g. `LOADING …`). */
export class RedisReplyError extends Error {
  override name = 'RedisReplyError';
}

/** A socket path, or a TCP port on 127.0.0.1 with a password. */
export type RedisAddress = { path: string } | { port: number; password: string };

/**
 * Sends one command over a new connection and reads the reply.
 * @throws {RedisReplyError} for an error reply; the socket's error or a timeout if there is no reply
 */
export function queryRedis(address: RedisAddress, command: readonly string[], timeoutMs: number): Promise<RedisReply> {
  const commands = 'password' in address ? [['AUTH', address.password], command] : [command];
  return new Promise((resolve, reject) => {
    const socket = connect('path' in address ? { path: address.path } : { port: address.port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const finish = (complete: () => void) => {
      socket.destroy();
      complete();
    };
    socket.setTimeout(timeoutMs, () => finish(() => reject(new Error(`no reply within ${timeoutMs} ms`))));
    socket.once('error', (error) => finish(() => reject(error)));
    socket.once('close', () => reject(new Error('connection closed')));
    socket.once('connect', () => socket.write(commands.map(encodeCommand).join('')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      try {
        let at = 0;
        let reply: RedisReply = null;
        for (const _ of commands) {
          const part = parseReply(received, at);
          if (!part) return;
          at = part.end;
          reply = part.reply;
        }
        finish(() => resolve(reply));
      } catch (error) {
        finish(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    });
  });
}

function encodeCommand(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`).join('')}`;
}

/** Parses one RESP2 reply at an offset. Returns undefined if the reply is incomplete. */
function parseReply(bytes: Buffer, at: number): { reply: RedisReply; end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString('utf8', at + 1, lineEnd);
  const next = lineEnd + 2;
  switch (bytes.toString('latin1', at, at + 1)) {
    case '+':
      return { reply: line, end: next };
    case '-':
      throw new RedisReplyError(line);
    case ':':
      return { reply: Number(line), end: next };
    case '$': {
      const length = Number(line);
      if (length < 0) return { reply: null, end: next };
      if (bytes.length < next + length + 2) return undefined;
      return { reply: bytes.toString('utf8', next, next + length), end: next + length + 2 };
    }
    case '*': {
      const replies: RedisReply[] = [];
      let end = next;
      for (let index = 0; index < Number(line); index++) {
        const part = parseReply(bytes, end);
        if (!part) return undefined;
        replies.push(part.reply);
        end = part.end;
      }
      return { reply: replies, end };
    }
    default:
      throw new RedisReplyError('not a Redis server');
  }
}
