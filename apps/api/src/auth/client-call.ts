import type { Endpoint } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from './api-keys.ts';

export interface ClientCall<E extends Endpoint = Endpoint> {
  endpoint: E;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

type WithAction<E, A> = E extends { action: infer Actions } ? (A extends Actions ? E : never) : never;

export type EndpointOf<A extends Endpoint['action']> = WithAction<Endpoint, A>;

export interface EndpointHandler<E extends Endpoint = Endpoint> {
  /** Sends or returns the response. A `GatewayError` is sent in the protocol's error format. */
  serve(this: void, call: ClientCall<E>): unknown;
  serveLinked?(this: void, call: Omit<ClientCall<E>, 'apiKey'>): unknown;
  /**
   * By default, a call is authenticated by its API key.
   * @returns undefined if the URL itself is the credential
   * @throws GatewayError
   */
  authenticate?(this: void, request: FastifyRequest): ApiKey | undefined;
  /** If true, the handler receives the body as a stream. */
  streamsBody?: boolean;
  /** If true, the handler receives the body as bytes. */
  readsBytes?: boolean;
}

export type EndpointHandlers<A extends Endpoint['action'] = Endpoint['action']> = {
  [K in A]: EndpointHandler<EndpointOf<K>>;
};
