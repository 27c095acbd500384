import {
  type Batch,
  type BatchInputError,
  type BatchParams,
  type BatchStatus,
  type BatchUsage,
  splitAccount,
} from '@sluice/canonical';
import type { VendorState } from './vendor-state.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

/** A batch with the fields that workers need. */
export interface StoredBatch extends Batch {
  owner: string;
  /** Why lines are no longer sent. */
  closing?: 'cancelled' | 'expired';
  /** The uploads that the output and error files are written to. */
  outputUpload: string;
  errorUpload: string;
  /** Set while a vendor runs the batch. */
  vendor?: VendorState;
}

/** The fields of the record of a new batch. */
export function newFields(id: string, owner: string, params: BatchParams, now: number): Record<string, string> {
  const { priority = 0, retryUnknown = false, ...rest } = params;
  return {
    id,
    owner,
    params: JSON.stringify(rest),
    status: 'validating',
    closing: '',
    paused: '0',
    priority: String(priority),
    retryUnknown: retryUnknown ? '1' : '0',
    model: '',
    createdAt: String(now),
    expiresAt: String(now + params.windowMs),
  };
}

const TIMES = [
  'inProgressAt',
  'finalizingAt',
  'completedAt',
  'failedAt',
  'expiredAt',
  'cancellingAt',
  'cancelledAt',
] as const;

export function parseBatch(fields: Fields): StoredBatch {
  const text = (name: string): string => fields[name] ?? '';
  const count = (name: string): number => Number(fields[name] ?? 0);
  // The casts are safe because only this package writes the record.
  const params = JSON.parse(text('params')) as BatchParams;
  const errors = text('errors') === '' ? [] : (JSON.parse(text('errors')) as BatchInputError[]);
  const times = TIMES.filter((name) => fields[name]).map((name) => [name, count(name)]);
  return {
    ...params,
    id: text('id'),
    owner: text('owner'),
    status: text('status') as BatchStatus,
    paused: text('paused') === '1',
    priority: count('priority'),
    retryUnknown: text('retryUnknown') === '1',
    ownsInput: params.ownsInput ?? false,
    counts: {
      total: count('total'),
      completed: count('completed'),
      failed: count('failed'),
      expired: count('expired'),
      cancelled: count('cancelled'),
    },
    ...(count('inputTokens') + count('outputTokens') > 0 && { usage: usageOf(count) }),
    costNanos: count('costNanos'),
    ...(count('unpriced') > 0 && { unpriced: true }),
    ...(count('refusedLines') > 0 && { refusedLines: count('refusedLines') }),
    errors,
    createdAt: count('createdAt'),
    expiresAt: count('expiresAt'),
    outputUpload: text('outputUpload'),
    errorUpload: text('errorUpload'),
    ...(text('closing') !== '' && { closing: text('closing') as 'cancelled' | 'expired' }),
    ...(text('vendor') !== '' && vendorOf(JSON.parse(text('vendor')) as VendorState)),
    ...(text('model') !== '' && { model: text('model') }),
    ...(text('outputFileId') !== '' && { outputFileId: text('outputFileId') }),
    ...(text('errorFileId') !== '' && { errorFileId: text('errorFileId') }),
    ...(text('estimatedCostUsd') !== '' && { estimatedCostUsd: count('estimatedCostUsd') }),
    ...(Object.fromEntries(times) as Partial<Batch>),
  };
}

function vendorOf(vendor: VendorState): Pick<StoredBatch, 'vendor' | 'upstream'> {
  return { vendor, upstream: splitAccount(vendor.account).upstream };
}

function usageOf(count: (name: keyof BatchUsage) => number): BatchUsage {
  return {
    inputTokens: count('inputTokens'),
    cachedTokens: count('cachedTokens'),
    outputTokens: count('outputTokens'),
    reasoningTokens: count('reasoningTokens'),
  };
}
