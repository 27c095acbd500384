import { createSocket } from 'node:dgram';

export interface NameServer {
  /** Address of the name server, in the format `127.0.0.1:port`. */
  address: string;
  /** All received queries, e.g. `A some.name`. */
  queries: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** The zone of a {@link NameServer}. A name that is missing does not exist. A `silent` name gets no response. */
export type Zone = Readonly<Record<string, 'silent' | { v4?: string; v6?: Uint8Array }>>;

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readRequest(query);
    queries.push(`${type === AAAA ? 'AAAA' : 'A'} ${name}`);
    const known = zone[name];
    if (known === 'silent') return;
    let data: Uint8Array | undefined;
    if (type === A && known?.v4 !== undefined) data = Uint8Array.from(known.v4.split('.'), Number);
    if (type === AAAA) data = known?.v6;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | (known === undefined ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(data ? 1 : 0, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const response = data
      ? [Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, data.byteLength]), data]
      : [];
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...response]), port, address);
  });
  await new Promise<void>((listening) => socket.bind(0, '127.0.0.1', listening));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    [Symbol.asyncDispose]: () => new Promise((closed) => socket.close(() => closed())),
  };
}

function readRequest(query: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, type: query.readUInt16BE(at + 1) };
}
