import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY, type Stack, type StackOptions, startStack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

export const ADMIN_KEY = 'sk-e2e-admin-0003';
/** A video model whose upstream never responds, so its submissions are lost. */
export const LOST_MODEL = 'lost-video';

export interface CallInit {
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** A gateway with all models of the sandbox, an admin key, and a webhook server. */
export interface ReferenceStack extends Stack {
  receiver: Receiver;
  /** Calls the gateway with the key that the path requires. */
  call(method: string, at: string, init?: CallInit): Promise<Response>;
}

export async function startReferenceStack(
  options: Pick<StackOptions, 'config' | 'workers'> = {},
): Promise<ReferenceStack> {
  const receiver = await startReceiver();
  const silent = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo; // Cast: the server listens on TCP.
  const stack = await startStack({
    ...options,
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    configFor: () => ({
      upstreams: { lost: { kind: 'videos', base_url: `http://127.0.0.1:${port}/v1`, api_key: 'sk-lost' } },
      models: [{ id: LOST_MODEL, routes: [{ upstream: 'lost', model: 'sandbox-video' }] }],
    }),
    config: {
      sandbox: { enabled: true },
      webhooks: { allow: [receiver.origin], poll_ms: 50, per_key: 100 },
      ...options.config,
    },
  });
  const closeStack = stack.close.bind(stack);
  return Object.assign(stack, {
    receiver,
    call: (method: string, at: string, { headers, body }: CallInit = {}) =>
      fetch(stack.origin + at, {
        method,
        ...(body !== undefined && { body }),
        headers: { authorization: `Bearer ${at.startsWith('/admin/') ? ADMIN_KEY : KEY}`, ...headers },
      }),
    async close() {
      await closeStack();
      receiver.close();
      silent.closeAllConnections();
      silent.close();
    },
  });
}
