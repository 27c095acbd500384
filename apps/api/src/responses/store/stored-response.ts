import { randomBytes } from 'node:crypto';
import type { Usage } from '@sluice/canonical';

/** `queued` and `in_progress` are open, the others final. */
type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** Items have the format of the protocol. */
export interface StoredResponse {
  id: string;
  owner: string;
  upstream: string;
  /** Whether the vendor stores it as well, under the same id. */
  native: boolean;
  model: string;
  createdAt: number;
  status: ResponseStatus;
  /** The request's body; the response repeats some of its fields. */
  body: Record<string, unknown>;
  /** The request's own input, without earlier items of the conversation. */
  inputItems: readonly Record<string, unknown>[];
  outputItems: readonly Record<string, unknown>[];
  /** Ids of its items at the vendor. */
  vendorItems?: readonly string[];
  usage?: Usage;
  /** Usage charged before the vendor reported it; absent if nothing remains to be charged. */
  charged?: Usage;
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
