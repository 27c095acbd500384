import type { GatewayError, Generation, Usage } from '@sluice/canonical';

export interface ResponseProgress {
  usage?: Usage;
  /** The model sent its finish reason: if the connection breaks now, only usage is lost. */
  isFinished: boolean;
  /** Nothing follows, although the upstream may leave the connection open. */
  isEnded?: boolean;
  /** The upstream's error, or that of a missing final event. */
  failed?: GatewayError;
  /** The text already contains the upstream's own error. */
  isReported?: boolean;
  responseId?: string;
  /** Ids of the items of a relayed response. */
  itemIds?: string[];
}

/**
 * Writes an upstream's streamed response in the client's protocol, chunk by chunk. If the upstream reports an error,
 * {@link ResponseProgress.failed} is set. The caller then calls another upstream if nothing was sent yet, and otherwise
 * {@link fail}, unless the text already contains a relayed error.
 */
export interface ResponseWriter {
  encoding: 'latin1' | 'utf8';
  progress: ResponseProgress;
  /** @param chunk cut anywhere. @returns an empty text if there is nothing to send yet */
  push(chunk: Uint8Array): string;
  /** Ends the upstream's body. A stream without a final event counts as failed. */
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
}
