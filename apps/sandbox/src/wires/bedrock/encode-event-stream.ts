import { crc32 } from 'node:zlib';

const STRING_TYPE = 7;

function headerBytes(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const head = Buffer.from([key.length, ...key, STRING_TYPE, text.length >> 8, text.length & 0xff]);
  return Buffer.concat([head, text]);
}

/** Encodes one message of `application/vnd.amazon.eventstream`. */
function eventMessage(headers: Readonly<Record<string, string>>, payload: Uint8Array): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerBytes(name, value)));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + payload.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const body = Buffer.concat([prelude, head, payload]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(body));
  return Buffer.concat([body, end]);
}

export function jsonEvent(type: string, value: unknown): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  return eventMessage(headers, Buffer.from(JSON.stringify(value)));
}

export function exceptionEvent(type: string, message: string): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' };
  return eventMessage(headers, Buffer.from(JSON.stringify({ message })));
}
