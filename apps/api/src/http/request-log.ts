import type { Usage } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import type { RequestTrace } from '@sluice/telemetry';

export interface ServedText {
  upstream: string;
  upstream_model: string;
  /** Whether the response was relayed unchanged instead of translated. */
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
    /** Log fields about a finished WebSocket session. */
    session: Promise<object> | undefined;
    served: ServedText | undefined;
    /** The request's span. Undefined unless OpenTelemetry is configured. */
    trace: RequestTrace | undefined;
    attempts: LoggedAttempt[] | undefined;
    /** The code of the error that the client received, as the response or inside a stream. */
    errorCode: string | undefined;
    /** Milliseconds from the request to the first event of a streamed response. */
    firstEventMs: number | undefined;
    /** The model name as the client sent it. */
    requestedModel: string | undefined;
    /** The requested model's entry in the configuration. Its `id` can be a pattern. */
    configuredModel: ModelConfig | undefined;
  }
}
