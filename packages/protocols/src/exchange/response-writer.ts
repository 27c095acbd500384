import type { GatewayError, Generation, Usage } from '@sluice/canonical';

/** State of a response during its transfer. */
export interface ResponseProgress {
  usage?: Usage;
  /** The model sent its finish reason: if the connection breaks now, only usage is lost. */
  isFinished: boolean;
  /** Nothing follows: the client's response can end although the upstream keeps the connection open. */
  isThrough?: boolean;
  /** The error that the upstream reported, or that follows from a missing final event. */
  failed?: GatewayError;
  /** The text already contains the upstream's own error. */
  isReported?: boolean;
  /** The upstream's id of the response, if it was read. */
  responseId?: string;
  /** Ids of the items of a relayed response. */
  itemIds?: string[];
}

/**
 * Writes an upstream's streamed response in the client's protocol, chunk by chunk. Texts use {@link encoding}; an empty
 * one means that there is nothing to send yet.
 *
 * If the upstream reports an error, {@link ResponseProgress.failed} is set and the caller decides. It calls another
 * upstream if nothing was sent yet, and otherwise {@link fail}, unless the text already contains a relayed error.
 */
export interface ResponseWriter {
  encoding: 'latin1' | 'utf8';
  progress: ResponseProgress;
  /** @param chunk as received from the network, cut anywhere */
  push(chunk: Uint8Array): string;
  /** The upstream's body ended. A stream without a final event counts as failed. */
  end(): string;
  /** Reports the error to the client; must be the last call. */
  fail(error: GatewayError): string;
  /** A text without content that keeps the connection alive. */
  keepAlive(): string;
  /** The complete response after the end; only if it was requested. */
  generation?(): Generation;
}

/** A complete response for the client. */
export interface BufferedResponse {
  /** JSON. */
  body: string | Uint8Array;
  usage?: Usage;
  responseId?: string;
  /** Ids of the items of a relayed response. */
  itemIds?: readonly string[];
  /** Absent: relayed. */
  generation?: Generation;
}
