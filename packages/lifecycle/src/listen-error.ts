/** Explains why a server cannot listen on an address, and how to fix it. Returns other errors unchanged. */
export function listenError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is in use. Set \`SLUICE_PORT\` to another port, or stop the process that uses it.`,
        { cause: error },
      );
    case 'EACCES':
      return new Error(`Port ${port} requires privileges. Set \`SLUICE_PORT\` to a port above 1023.`, { cause: error });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(
        `This machine has no address ${host}. Set \`SLUICE_HOST\` to one of its addresses, such as 127.0.0.1.`,
        { cause: error },
      );
    default:
      return error;
  }
}
