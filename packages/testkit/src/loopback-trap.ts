import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** A loopback server that no request to an untrusted URL may reach. */
export interface LoopbackTrap {
  /** The port on 127.0.0.1, and also on ::1 if the machine supports IPv6. */
  port: number;
  /** Returns the number of accepted connections, including those without data. */
  connections(): number;
  close(): void;
}

/** The trap's response body. No response from Sluice may contain it. */
export const TRAP_SECRET = 'the-secret-of-the-inside';

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
