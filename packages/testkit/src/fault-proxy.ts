import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A Unix socket path, or a port on the loopback interface. */
export type ProxyTarget = { path: string } | { port: number };

/** A fault that applies to all connections. */
export type NetworkFault =
  | { kind: 'none' }
  /** All data is delayed by this time. */
  | { kind: 'late'; ms: number }
  /** Responses arrive one byte at a time, with this pause between bytes. */
  | { kind: 'drip'; ms: number }
  /** Data is dropped without an error. Connections are reset when the fault is removed. */
  | { kind: 'black-hole' }
  /** A connection is reset when either side sends data. */
  | { kind: 'reset' };

/**
 * How to handle a chunk. `pass` forwards it, `hold` keeps it until {@link FaultProxy.release}, and `reset` resets its
 * connection. A number forwards that many bytes and holds the rest.
 */
export type ChunkAction = 'pass' | 'hold' | 'reset' | number;

/** Observes one connection and decides how its chunks are handled. */
export interface ConnectionObserver {
  toServer?(chunk: Buffer): ChunkAction;
  toClient?(chunk: Buffer): ChunkAction;
}

/** A TCP proxy on the loopback interface that injects network faults. */
export interface FaultProxy {
  port: number;
  /** Sets the fault. It also applies to chunks in transit. */
  set(fault: NetworkFault): void;
  /** Forwards all held data. */
  release(): void;
  close(): Promise<void>;
}

/** Only TCP connections can be reset. Node throws an error for Unix sockets. */
function resetConnection(client: Socket, upstream: Socket, target: ProxyTarget): void {
  client.resetAndDestroy();
  if ('path' in target) upstream.destroy();
  else upstream.resetAndDestroy();
}

/** @param watch called for each connection */
export async function startFaultProxy(
  target: ProxyTarget,
  watch: () => ConnectionObserver = () => ({}),
): Promise<FaultProxy> {
  let fault: NetworkFault = { kind: 'none' };
  let changed = Promise.withResolvers<void>();
  let released = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true });
    upstream.setNoDelay(true);
    const both = [client, upstream];
    const reset = () => resetConnection(client, upstream, target);
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', reset);
      socket.once('close', () => {
        sockets.delete(socket);
        both.forEach((one) => one.destroy());
      });
    }
    const observer = watch();
    void forward(client, upstream, (chunk) => observer.toServer?.(chunk) ?? 'pass', false, reset);
    void forward(upstream, client, (chunk) => observer.toClient?.(chunk) ?? 'pass', true, reset);
  });

  const dripOf = (isResponse: boolean) => () => (isResponse && fault.kind === 'drip' ? fault.ms : undefined);

  async function forward(
    from: Socket,
    to: Socket,
    decide: (chunk: Buffer) => ChunkAction,
    isResponse: boolean,
    reset: () => void,
  ): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        const action = decide(chunk);
        const passed = typeof action === 'number' ? action : 0;
        if (passed > 0) await pass(chunk.subarray(0, passed), to, dripOf(isResponse));
        if (action === 'hold' || typeof action === 'number') await released.promise;
        const isLost = fault.kind === 'black-hole';
        while (fault.kind === 'black-hole') await changed.promise;
        if (isLost || action === 'reset' || fault.kind === 'reset') return reset();
        if (fault.kind === 'late') await pause(fault.ms);
        await pass(chunk.subarray(passed), to, dripOf(isResponse));
      }
      to.end();
    } catch {
      reset(); // One side has disconnected, so the other one is reset.
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('a TCP server has a port');
  return {
    port: address.port,
    set(next) {
      fault = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
    release() {
      released.resolve();
      released = Promise.withResolvers();
    },
    async close() {
      fault = { kind: 'none' }; // Without this, clients would wait for the end of the fault.
      server.close();
      for (const socket of sockets) socket.destroy();
      changed.resolve();
      released.resolve();
      await once(server, 'close');
    },
  };
}

/** @param drip returns the milliseconds between bytes, or undefined if the rest may be sent without pauses */
async function pass(chunk: Buffer, to: Socket, drip: () => number | undefined): Promise<void> {
  let sent = 0;
  for (let ms = drip(); ms !== undefined && sent < chunk.length && !to.destroyed; ms = drip()) {
    to.write(chunk.subarray(sent, sent + 1));
    sent += 1;
    await pause(ms);
  }
  if (!to.write(chunk.subarray(sent)) && !to.destroyed) await once(to, 'drain');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
