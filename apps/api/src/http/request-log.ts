import type { Usage } from '@sluice/canonical';

export interface ServedText {
  upstream: string;
  upstream_model: string;
  /** Whether bytes were relayed rather than translated. */
  relayed: boolean;
  usage: () => Usage | undefined;
  dropped?: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Log fields about the end of a WebSocket session. */
    session: Promise<object> | undefined;
    served: ServedText | undefined;
  }
}
