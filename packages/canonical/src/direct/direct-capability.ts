import type { Embeddings, EmbeddingParams } from './embedding.ts';
import type { LossReport } from '../exchange/loss.ts';
import type { Moderation, ModerationParams } from './moderation.ts';
import type { Ranking, RerankParams } from './rerank.ts';
import type { Speech, SpeechParams } from './speech.ts';
import type { Transcript, TranscriptionParams } from './transcription.ts';
import type { TextQuirks } from '../text/text-quirks.ts';

export interface DirectCall {
  /** The model's name at the upstream. */
  model: string;
  quirks?: TextQuirks;
  /** Headers that continue the request's trace at the upstream. Absent unless traces are exported. */
  traceHeaders?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Reports request fields that the upstream does not support, before anything is sent. Throws in strict mode. */
  report: LossReport;
}

/** Synchronous calls. Text has a separate capability because it is streamed, and media because it takes minutes. */
export interface DirectCapability<Params, Response> {
  /**
   * @throws GatewayError before anything is sent, if this upstream cannot serve the request but another might
   * @throws UpstreamRefusalError if the upstream refused the request
   * @throws an `UpstreamError`-like error with `failure` and `sent` if the upstream did not respond
   */
  call(params: Params, call: DirectCall): Promise<Response>;
}

export interface DirectCapabilities {
  moderation?: DirectCapability<ModerationParams, Moderation>;
  embedding?: DirectCapability<EmbeddingParams, Embeddings>;
  rerank?: DirectCapability<RerankParams, Ranking>;
  speech?: DirectCapability<SpeechParams, Speech>;
  transcription?: DirectCapability<TranscriptionParams, Transcript>;
}

export type DirectKind = keyof DirectCapabilities;

export type ParamsOf<K extends DirectKind> =
  NonNullable<DirectCapabilities[K]> extends DirectCapability<infer Params, unknown> ? Params : never;

export type ResponseOf<K extends DirectKind> =
  NonNullable<DirectCapabilities[K]> extends DirectCapability<never, infer Response> ? Response : never;
