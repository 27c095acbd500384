import { randomUUID } from 'node:crypto';
import { Agent, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { hashSecret } from '@sluice/access';
import type { LineUse, VendorLine } from '@sluice/batches';
import { GatewayError } from '@sluice/canonical';
import type { Config } from '@sluice/config';
import { ENDPOINTS } from '@sluice/protocols';
import type { Tracing } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import { type ApiKey, keyWithoutLimits } from '../auth/api-keys.ts';
import { findOwner } from '../auth/find-owner.ts';
import type { StoredRun } from '../auth/stored-run.ts';
import { trackRequests } from '../http/abort-requests.ts';
import { createServer } from '../server/create-server.ts';
import { createServices, type ServiceParts } from '../server/create-services.ts';
import { registerEndpoints } from '../server/register-endpoints.ts';
import { buildServing, LiveServing, replaceServing } from '../server/serving.ts';
import { LineRecord } from './line-record.ts';

export interface InternalRequest {
  /** Name of the API key that the request runs as. */
  owner: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, e.g. `/v1/chat/completions`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** JSON. */
  body?: Buffer | string | undefined;
  /** Disconnects, which aborts the upstream call. */
  signal?: AbortSignal | undefined;
  /** Set if the request runs a background response. */
  run?: StoredRun | undefined;
  /** Whether the request is a line of a batch. */
  isLine?: boolean;
  /** Set if a vendor runs the request as part of a batch. */
  vendorLine?: VendorLine | undefined;
}

export interface InternalResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it arrives. Destroying it disconnects. */
  body: Readable;
  /** For a batch line: waits until its usage is in Redis. Call it after the end of the body. */
  recorded(this: void): Promise<LineUse>;
}

/**
 * Serves stored requests of this process through the endpoints of the API, so that they have the same translation,
 * routing, limits, prices, and log lines as requests of clients.
 */
export interface InternalApi {
  /**
   * Resolves when the headers of the response have arrived.
   * @throws GatewayError `invalid_api_key` if the owner's key does not exist any more, except for the vendor's result of a
   * line
   * @throws Error if the signal aborts or the API is closed
   */
  serve(this: void, request: InternalRequest): Promise<InternalResponse>;
  /** Serves later requests with another configuration. @param changed names of upstreams that differ */
  apply(this: void, config: Config, upstreams: Upstreams, changed: readonly string[]): Promise<void>;
  /** Waits for requests in flight, and aborts those that take longer than `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface InternalApiParts extends Omit<ServiceParts, 'stopping'> {
  upstreams: Upstreams;
  tracing?: Tracing | undefined;
}

/**
 * Starts the API on a private port of 127.0.0.1. Real HTTP gives it the behavior of real connections, e.g. backpressure
 * and disconnects. Each request has a credential of its own, which is valid until its response ends, so no other program
 * can use the port.
 */
export async function startInternalApi(parts: InternalApiParts): Promise<InternalApi> {
  const { config, logger, metrics, tracing } = parts;
  const stopping = new AbortController();
  // The worker repeats the protocol of the client's request, for links.
  const server = { ...config.server, trusted_proxies: ['127.0.0.1'] };
  const app = await createServer({ config: { ...config, server }, served: ENDPOINTS, logger, metrics, tracing });
  const live = new LiveServing();
  const services = await createServices(app, { ...parts, stopping: stopping.signal }, () => ({
    settings: live.current.config.routing,
    accounts: live.current.upstreams.accounts,
  }));
  const callers = new Map<string, ApiKey>();
  const serving = (next: Config, upstreams: Upstreams) =>
    buildServing(services, next, upstreams, (hash) => callers.get(hash));
  live.current = serving(config, parts.upstreams);
  trackRequests(app);
  await registerEndpoints(app, live, services.ledger);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const agent = new Agent({ keepAlive: true });

  return {
    async serve({ owner, run, vendorLine, isLine = false, ...request }) {
      const found = findOwner(owner, live.current.config.keys, services.storedKeys);
      // The vendor has been paid for a result, so it is recorded although the key was removed.
      const apiKey = found ?? (vendorLine?.step === 'record' ? keyWithoutLimits(owner) : undefined);
      if (!apiKey) throw new GatewayError('invalid_api_key', `The API key \`${owner}\` no longer exists.`);
      const credential = randomUUID();
      const hash = hashSecret(credential);
      const line = isLine ? new LineRecord(services.ledger) : undefined;
      callers.set(hash, { ...apiKey, run, vendorLine, line });
      const response = await send({ agent, port, credential }, request, () => callers.delete(hash));
      return { ...response, recorded: async () => (await line?.recorded()) ?? {} };
    },
    apply: async (next, upstreams, changed) => replaceServing(live, services, serving(next, upstreams), changed),
    async close(graceMs) {
      const abort = setTimeout(() => app.abortRequests(), graceMs);
      stopping.abort();
      await app.close();
      clearTimeout(abort);
      agent.destroy();
    },
  };
}

interface Connection {
  agent: Agent;
  port: number;
  credential: string;
}

/** @param onEnd called when the response has ended or failed */
function send(
  { agent, port, credential }: Connection,
  { method, path, headers, body, signal }: Omit<InternalRequest, 'owner' | 'run' | 'vendorLine' | 'isLine'>,
  onEnd: () => void,
): Promise<Omit<InternalResponse, 'recorded'>> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        authorization: `Bearer ${credential}`,
      },
      ...(signal && { signal }),
    });
    sent.once('close', onEnd);
    sent.once('error', reject);
    sent.once('response', (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
    );
    sent.end(body);
  });
}
