import type { Embeddings, EmbeddingParams } from './embedding.ts';
import type { GatewayError } from '../gateway-error.ts';
import type { LossReport } from '../loss.ts';
import type { Moderation, ModerationParams } from './moderation.ts';
import type { Ranking, RerankParams } from './rerank.ts';
import type { Speech, SpeechParams } from './speech.ts';
import type { Transcript, TranscriptionParams } from './transcription.ts';
import type { TextQuirks } from '../text/text-quirks.ts';

/** What a call of an upstream needs beside the wish. */
export interface DirectCall {
  /** The model's name at the upstream. */
  model: string;
  /** How the model differs from its protocol, where the configuration says it of the route. */
  quirks?: TextQuirks;
  /** Ends the call, and the answer's body while it is under way. */
  signal: AbortSignal;
  /** Told of what the upstream cannot carry, before anything is sent; throws under strict mode. */
  report: LossReport;
}

/**
 * How an upstream grants a wish **directly**: one call, answered now. Text has its own capability, since it is relayed and
 * translated piece by piece; media has its own, since it takes minutes.
 */
export interface DirectCapability<Wish, Answer> {
  /**
   * Asks the upstream.
   * @throws GatewayError when this upstream cannot grant the wish, before anything was sent: another one may
   * @throws UpstreamRefusalError when the upstream has said no
   * @throws an `UpstreamError`-like error with `failure` and `sent` when there is no answer
   */
  call(params: Wish, call: DirectCall): Promise<Answer>;
}

/** What an upstream may grant directly; absent means that it does not. */
export interface DirectCapabilities {
  moderation?: DirectCapability<ModerationParams, Moderation>;
  embedding?: DirectCapability<EmbeddingParams, Embeddings>;
  rerank?: DirectCapability<RerankParams, Ranking>;
  speech?: DirectCapability<SpeechParams, Speech>;
  transcription?: DirectCapability<TranscriptionParams, Transcript>;
}

/** One of {@link DirectCapabilities}. */
export type DirectKind = keyof DirectCapabilities;

/** What is wished for in a kind of direct call. */
export type ParamsOf<K extends DirectKind> =
  NonNullable<DirectCapabilities[K]> extends DirectCapability<infer Wish, unknown> ? Wish : never;

/** What a kind of direct call gives. */
export type ResponseOf<K extends DirectKind> =
  NonNullable<DirectCapabilities[K]> extends DirectCapability<never, infer Answer> ? Answer : never;

/** An upstream's refusal, in words that a client may see. */
export class UpstreamRefusalError extends Error {
  /** The HTTP status that it came with. */
  readonly status: number;
  /** What the client would be told. */
  readonly error: GatewayError;

  constructor(status: number, error: GatewayError) {
    super(error.message, { cause: error });
    this.name = 'UpstreamRefusalError';
    this.status = status;
    this.error = error;
  }
}
