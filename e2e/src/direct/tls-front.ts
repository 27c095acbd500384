import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { selfSigned } from '@sluice/testkit';

/** A TLS proxy in front of a plain server. */
export interface TlsFront {
  /** In the format `https://localhost:port`. */
  origin: string;
  /** The certificate, in PEM format. */
  cert: string;
  close(): Promise<void>;
}

export async function startTlsFront(targetPort: number): Promise<TlsFront> {
  const { key, cert } = selfSigned();
  const server = createServer({ key, cert }, (client) => {
    const target = connect(targetPort, '127.0.0.1');
    client.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('close', () => client.destroySoon());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return {
    origin: `https://localhost:${port}`,
    cert,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
