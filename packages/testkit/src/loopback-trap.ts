import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** A server inside, which nobody who is led there by a stranger's URL may ever reach. */
export interface LoopbackTrap {
  /** On 127.0.0.1, and on ::1 where the machine has it. */
  port: number;
  /** Connections so far; bytes need not have come on them. */
  connections(): number;
  close(): void;
}

/** What the trap tells whoever comes: no answer of ours may hold it. */
export const TRAP_SECRET = 'the-secret-of-the-inside';

/** Starts a {@link LoopbackTrap}. */
export async function startLoopbackTrap(): Promise<LoopbackTrap> {
  let connections = 0;
  const listenAt = async (host: string, port: number): Promise<Server> => {
    const server = createServer((_request, response) => response.end(TRAP_SECRET));
    server.on('connection', () => (connections += 1));
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  };
  const four = await listenAt('127.0.0.1', 0);
  const address = four.address();
  if (typeof address !== 'object' || !address) throw new Error('a TCP server has a port');
  const { port } = address;
  const six = await listenAt('::1', port).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined;
    throw error;
  });
  return {
    port,
    connections: () => connections,
    close() {
      for (const server of [four, six]) {
        server?.closeAllConnections();
        server?.close();
      }
    },
  };
}
