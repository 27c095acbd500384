import { randomBytes } from 'node:crypto';
import type { Usage } from '@sluice/canonical';

/** What becomes of an answer. `queued` and `in_progress` are open, the others final. */
type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** An answer of the responses protocol as it is kept. Items are as the protocol spells them. */
export interface StoredResponse {
  id: string;
  /** Name of the API key; nobody else sees it. */
  owner: string;
  /** Name of the upstream that made it. */
  upstream: string;
  /** Whether the vendor keeps it as well, under the same id. */
  native: boolean;
  /** The id that the client asked for. */
  model: string;
  /** Unix seconds. */
  createdAt: number;
  status: ResponseStatus;
  /** The request's body, for what the answer repeats of it. */
  body: Record<string, unknown>;
  /** What the request brought along, without what went before it. */
  inputItems: readonly Record<string, unknown>[];
  outputItems: readonly Record<string, unknown>[];
  /** Ids of items of it that the vendor keeps. */
  vendorItems?: readonly string[];
  usage?: Usage;
  /** What its key was charged for while its vendor had not told the usage; absent: nothing will be left to be charged. */
  charged?: Usage;
  /** The answer that it goes on from. */
  previousId?: string;
  /** Why it failed, in public words. */
  error?: { code: string; message: string };
  /** Why it is incomplete, as the protocol spells it. */
  incompleteReason?: 'max_output_tokens' | 'content_filter';
}

/** A new, unguessable id. */
export function newResponseId(): string {
  return `resp_${randomBytes(16).toString('hex')}`;
}

/** Whether an answer is still being made. */
export function isOpen({ status }: Pick<StoredResponse, 'status'>): boolean {
  return status === 'queued' || status === 'in_progress';
}
