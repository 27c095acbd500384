import type { Usage } from '@sluice/canonical';

export interface ServedText {
  upstream: string;
  /** The model's name at the upstream. */
  upstream_model: string;
  /** Whether bytes were relayed rather than translated. */
  relayed: boolean;
  usage: () => Usage | undefined;
  /** Parameters that were dropped. */
  dropped?: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Log fields about the end of a WebSocket session. */
    session: Promise<object> | undefined;
    /** Set once an upstream has started to respond. */
    served: ServedText | undefined;
  }
}
