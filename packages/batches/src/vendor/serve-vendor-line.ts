import { text as readText } from 'node:stream/consumers';
import { type BatchLine, batchResultId } from '@sluice/canonical';
import type { StoredBatch } from '../store/batch-record.ts';
import { headersOf, pathOf } from '../worker/send-line.ts';
import type { LineCharge, LineUse, VendorLine, WorkerContext } from '../worker/worker-context.ts';

export interface ServedVendorLine {
  status: number;
  requestId: string;
  text: string;
  /** The usage in the vendor's result. */
  use: LineUse;
  charge: LineCharge;
}

/** The API refused a request for a reason that does not depend on it, so the call is repeated. */
export class TemporaryRefusalError extends Error {
  constructor(status: number) {
    super(`a line of a vendor's batch was refused with ${status}`);
    this.name = 'TemporaryRefusalError';
  }
}

const TEMPORARY = new Set([408, 429, 503]);

/**
 * Lets the API encode a request for the vendor, or decode the vendor's result. No upstream is called, and the charge is
 * only returned, so it can be repeated.
 * @throws GatewayError `invalid_api_key` if a request is encoded whose key does not exist any more. @throws Error if it must be repeated
 */
export async function serveVendorLine(
  { serve, aborting }: Pick<WorkerContext, 'serve' | 'aborting'>,
  batch: StoredBatch,
  { number, line }: { number: number; line: BatchLine },
  vendorLine: VendorLine,
): Promise<ServedVendorLine> {
  const id = batchResultId(batch.id, number);
  const { status, headers, body, recorded, charge } = await serve({
    owner: batch.owner,
    method: 'POST',
    path: pathOf(line),
    headers: headersOf(batch, id),
    body: JSON.stringify(line.body),
    signal: aborting,
    vendorLine,
  });
  const text = await readText(body);
  // A result of the vendor is final, whatever its status.
  if (headers['x-sluice-attempts'] === undefined && TEMPORARY.has(status)) {
    throw new TemporaryRefusalError(status);
  }
  const requestId = headers['x-request-id']?.toString() ?? id;
  return { status, requestId, text, charge: (await charge?.()) ?? {}, use: await recorded() };
}
