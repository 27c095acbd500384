import type { Usage } from '@sluice/canonical';

export interface ServedText {
  upstream: string;
  upstream_model: string;
  /** Whether bytes were relayed rather than translated. */
  relayed: boolean;
  usage: () => Usage | undefined;
  dropped?: string[];
}

/** An upstream that was called or skipped for a request. */
export interface LoggedAttempt {
  upstream: string;
  upstream_model?: string;
  /** `served`, `aborted`, `circuit_open`, `unsupported` (not called), or an error code. */
  result: string;
  ms?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Log fields about the end of a WebSocket session. */
    session: Promise<object> | undefined;
    served: ServedText | undefined;
    attempts: LoggedAttempt[] | undefined;
    /** As the client named it. */
    requestedModel: string | undefined;
  }
}
