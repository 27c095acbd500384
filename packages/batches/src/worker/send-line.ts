import { text as readText } from 'node:stream/consumers';
import { type BatchLine, batchResultId, GatewayError } from '@sluice/canonical';
import type { StoredBatch } from '../store/batch-record.ts';
import type { SlotResult } from './adaptive-limit.ts';
import type { LineResponse, WorkerContext } from './worker-context.ts';

/** The outcome of a line that was sent. */
export type SentLine =
  | {
      outcome: 'response';
      status: number;
      requestId: string;
      text: string;
      slot: SlotResult;
      recorded: LineResponse['recorded'];
    }
  /** Nothing was paid, so the line is sent again. @property ownerMs the time for which the owner must wait */
  | { outcome: 'refused'; ownerMs: number; slot: SlotResult }
  | { outcome: 'no_key' }
  /** This process stops. The outcome is unknown to the worker that continues. */
  | { outcome: 'aborted' }
  | { outcome: 'unknown'; error: unknown };

const STORE_RETRY_MS = 5_000;
const NONE: SlotResult = { result: 'none' };

/** Sends a line through the API. @param number from 1 */
export async function sendLine(
  context: Pick<WorkerContext, 'serve' | 'aborting' | 'now'>,
  batch: StoredBatch,
  line: BatchLine,
  number: number,
): Promise<SentLine> {
  const { serve, aborting, now } = context;
  const id = batchResultId(batch.id, number);
  const startedAt = now();
  try {
    const { status, headers, body, recorded } = await serve({
      owner: batch.owner,
      method: 'POST',
      path: pathOf(line),
      headers: headersOf(batch, id),
      body: JSON.stringify(line.body),
      signal: aborting,
    });
    const text = await readText(body);
    const header = (name: string): string | undefined => headers[name]?.toString();
    if ((status === 429 || status === 503) && header('x-should-retry') !== 'false') {
      const retryAfterMs = retryAfterOf(header('retry-after-ms'), header('retry-after'));
      // Without an attempt, it was refused by a limit of its own key or because a store is unavailable.
      return header('x-sluice-attempts') === undefined
        ? { outcome: 'refused', ownerMs: retryAfterMs, slot: NONE }
        : { outcome: 'refused', ownerMs: 0, slot: { result: 'overloaded', retryAfterMs } };
    }
    const slot: SlotResult = status < 500 ? { result: 'served', ms: now() - startedAt } : NONE;
    return { outcome: 'response', status, requestId: header('x-request-id') ?? id, text, slot, recorded };
  } catch (error) {
    if (aborting.aborted) return { outcome: 'aborted' };
    if (!(error instanceof GatewayError)) return { outcome: 'unknown', error };
    if (error.code === 'invalid_api_key') return { outcome: 'no_key' };
    return { outcome: 'refused', ownerMs: error.retryAfterMs ?? STORE_RETRY_MS, slot: NONE };
  }
}

/** Returns the path of a line as HTTP needs it. In Google's format, it contains the name of a model, which can be any text. */
export function pathOf({ url }: Pick<BatchLine, 'url'>): string {
  return encodeURI(url).replaceAll(/[?#]/g, encodeURIComponent);
}

/** The idempotency key lets an endpoint that creates a task recognize a line that is sent again. */
export function headersOf({ headers, labels = {} }: StoredBatch, id: string): Record<string, string> {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return {
    ...headers,
    'content-type': 'application/json',
    'x-request-id': id,
    'idempotency-key': id,
    ...(pairs.length > 0 && { 'x-sluice-labels': pairs.join(',') }),
  };
}

function retryAfterOf(ms: string | undefined, seconds: string | undefined): number {
  const value = ms === undefined ? Number(seconds) * 1_000 : Number(ms);
  return Number.isFinite(value) && value > 0 ? value : 1_000;
}
