import type { GatewayError, Generation, Usage } from '@sluice/canonical';

/** What is known of an answer while it passes. */
export interface ResponseProgress {
  usage?: Usage;
  /** The model has said why it stopped: a connection that breaks now takes nothing away but usage. */
  isFinished: boolean;
  /** Nothing follows: the client can have its end although the upstream keeps the connection open. */
  isThrough?: boolean;
  /** What the upstream, or the lack of an ending, says went wrong. */
  failed?: GatewayError;
  /** The error is in the text already, in the upstream's own words. */
  isReported?: boolean;
  /** The upstream's id of the answer, as far as it is looked at. */
  responseId?: string;
  /** Ids of the items of a relayed response. */
  itemIds?: string[];
}

/**
 * Carries a streamed answer from an upstream to a client, piece by piece, in what the client's protocol writes. Texts are
 * to be sent in {@link encoding}; an empty one means that there is nothing to send yet.
 *
 * When the upstream tells of an error, {@link ResponseProgress.failed} is set and the caller decides: nothing was sent yet,
 * and another upstream may be asked; or the client is told with {@link fail}, unless a relayed error was in the text.
 */
export interface ResponseWriter {
  encoding: 'latin1' | 'utf8';
  progress: ResponseProgress;
  /** @param chunk as it came from the network, cut anywhere */
  push(chunk: Uint8Array): string;
  /** The upstream's body is over. A stream without an ending counts as failed. */
  end(): string;
  /** Tells the client that it went wrong; the last thing that is written. */
  fail(error: GatewayError): string;
  /** Says nothing, to keep the connection alive. */
  keepAlive(): string;
  /** The answer as a whole, once it is through; kept only where it was asked for. */
  generation?(): Generation;
}

/** A whole answer, ready for the client. */
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
