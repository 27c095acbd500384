import type { Usage } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import type { RequestTrace } from '@sluice/telemetry';

export interface ServedText {
  upstream: string;
  /** The credential of the upstream's pool. */
  credential?: string | undefined;
  upstream_model: string;
  /** Whether the response was relayed unchanged instead of translated. */
  relayed: boolean;
  usage: () => Usage | undefined;
  dropped?: string[];
}

/** An upstream that was called or skipped for a request. */
export interface LoggedAttempt {
  upstream: string;
  credential?: string;
  upstream_model?: string;
  /**
   * `served`, `aborted`, `hedged`, or an error code; if it was not called, `circuit_open`, `no_credential`,
   * `retry_budget`, or `unsupported`.
   */
  result: string;
  ms?: number;
  /** The estimated cost of a call that was aborted because another one responded first. */
  cost_usd?: number;
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
