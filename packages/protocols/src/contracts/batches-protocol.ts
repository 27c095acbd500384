import type { Batch, BatchLineResult, BatchParams } from '@sluice/canonical';
import type { z } from 'zod';
import type { TokenCodec } from '../text/token-codec.ts';
import type { EncodeError } from './encode-error.ts';

/** The options of a batch whose requests are in a file. */
export type DecodedBatch = Omit<BatchParams, 'protocol' | 'headers' | 'labels' | 'ownsInput' | 'inlineResults'>;

/** The options of a batch whose requests are in the body. */
export type DecodedOptions = Pick<BatchParams, 'priority' | 'retryUnknown' | 'maxCostUsd' | 'displayName'>;

export interface DecodedBatchListing {
  /** The id of the last batch of the previous page. */
  after?: string;
  /** The id of the first batch of the next page. */
  before?: string;
  limit: number;
}

export interface DecodedBatchChange {
  paused?: boolean;
  priority?: number;
}

/** Parameters of the translation of a result. */
export interface ResultContext {
  batch: Batch;
  tokenCodec: TokenCodec;
  /** Creates an unguessable id: the prefix and 32 hex digits. */
  newId: (prefix: string) => string;
}

/** The format of batches of one protocol. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface BatchesFormat {
  /** Returns the id of a batch by the last part of a path. By default, they are the same. */
  decodeId?: (name: string) => string;
  /** The text after the id in the path of a cancellation, if it has no path of its own. */
  cancelSuffix?: string;
  decodeListing: (query: unknown) => DecodedBatchListing;
  /**
   * @param origin of the gateway, for links
   * @param results encoded results, if the format contains them
   */
  encodeBatch: (batch: Batch, origin: string, results?: readonly unknown[]) => unknown;
  encodeBatches: (batches: readonly Batch[], hasMore: boolean, origin: string) => unknown;
  encodeCancelled: (batch: Batch, origin: string) => unknown;
  encodeDeleted: (id: string) => unknown;
  /** If omitted, results are only in files. */
  results?: ResultsFormat;
  encodeError: EncodeError;
}

export interface ResultsFormat {
  mediaType: string;
  /** The text after the id in the path of the results, if they have no path of their own. */
  suffix?: string;
  /**
   * Encodes a line's result, and translates its body to the reader's protocol.
   * @param inlined set if the result is a part of an encoded batch; contains the members of the request that it repeats
   */
  encode: (result: BatchLineResult, context: ResultContext, inlined?: { metadata?: unknown }) => unknown;
  /** Whether an encoded batch contains its results, unless they are too large. */
  isInlined?: (batch: Batch) => boolean;
}

export interface BatchesProtocol {
  name: string;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
  /** Selects the format by the request. @param headers by lower-case name */
  formatOf: (headers: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>) => BatchesFormat;
}
