import { randomBytes } from 'node:crypto';
import type { Usage } from '@sluice/canonical';

/** `queued` and `in_progress` are unfinished; the others are final. */
type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** A stored response. Its items are in the protocol's format. */
export interface StoredResponse {
  id: string;
  owner: string;
  /** The account name: the upstream, or the credential of its pool. */
  upstream: string;
  /** The model's name at the upstream. Absent in records of earlier versions. */
  upstreamModel?: string;
  /** Whether the vendor also stores the response, under the same id. */
  native: boolean;
  model: string;
  createdAt: number;
  status: ResponseStatus;
  /** In Unix seconds. Absent in records of earlier versions. */
  completedAt?: number;
  /** The request's body. The response repeats some of its fields. */
  body: Record<string, unknown>;
  /** The request's own input, without earlier items of the conversation. */
  inputItems: readonly Record<string, unknown>[];
  outputItems: readonly Record<string, unknown>[];
  /** The gateway's copy of a response that its vendor stores, with which other upstreams can continue it. */
  copy?: Pick<StoredResponse, 'inputItems' | 'outputItems'>;
  /** The input of a response that its vendor still generates. It is a part of the copy as soon as the output is known. */
  pendingInput?: readonly Record<string, unknown>[];
  /** Ids of the items that the vendor stores. */
  vendorItems?: readonly string[];
  usage?: Usage;
  previousId?: string;
  error?: { code: string; message: string };
  incompleteReason?: 'max_output_tokens' | 'content_filter';
}

export function newResponseId(): string {
  return `resp_${randomBytes(16).toString('hex')}`;
}

export function isOpen({ status }: Pick<StoredResponse, 'status'>): boolean {
  return status === 'queued' || status === 'in_progress';
}
