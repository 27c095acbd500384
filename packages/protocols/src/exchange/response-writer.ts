import type { GatewayError, Generation, Loss, Usage } from '@sluice/canonical';

export interface ResponseProgress {
  usage?: Usage;
  /** The model sent its finish reason. If the connection breaks after this, only usage is lost. */
  isFinished: boolean;
  /** The response is complete, although the upstream may keep the connection open. */
  isEnded?: boolean;
  /** The upstream's error, or the error for a missing final event. */
  failed?: GatewayError;
  /** The relayed text already contains the upstream's error. */
  isReported?: boolean;
  /** Response fields that the client's protocol could not express up to now. Undefined for a relayed response. */
  losses?: readonly Loss[];
  responseId?: string;
  /** Ids of the output items in a relayed response. */
  itemIds?: string[];
  /** JSON of the last event of the Responses API that contains the response, as relayed, with one character per byte. */
  lastResponse?: string;
}

/**
 * Writes an upstream's streamed response in the client's protocol, chunk by chunk. If the upstream reports an error,
 * {@link ResponseProgress.failed} is set. If nothing was sent yet, the caller then calls another upstream. Otherwise,
 * it calls {@link fail}, unless the text already contains the relayed error.
 */
export interface ResponseWriter {
  encoding: 'latin1' | 'utf8';
  progress: ResponseProgress;
  /** @param chunk bytes, split at any position. @returns an empty string if there is nothing to send yet */
  push(chunk: Uint8Array): string;
  /** Call it when the upstream's body ends. A stream without a final event is a failure. */
  end(): string;
  /** Must be the last call. */
  fail(error: GatewayError): string;
  keepAlive(): string;
  generation?(): Generation;
}

export interface BufferedResponse {
  body: string | Uint8Array;
  usage?: Usage;
  responseId?: string;
  itemIds?: readonly string[];
  generation?: Generation;
  /** Response fields that the client's protocol cannot express. Undefined for a relayed response. */
  losses?: readonly Loss[];
}
