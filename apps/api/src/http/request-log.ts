import type { Usage } from '@sluice/canonical';

/** The upstream that served a request, for its log line. */
export interface ServedText {
  upstream: string;
  /** The model's name at the upstream. */
  upstream_model: string;
  /** Whether bytes were relayed rather than translated. */
  relayed: boolean;
  usage: () => Usage | undefined;
  /** Fields that could not be carried. */
  dropped?: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** How a request that became a web socket ended: fields of its log line. */
    session: Promise<object> | undefined;
    /** Set once an upstream has begun to respond. */
    served: ServedText | undefined;
  }
}
