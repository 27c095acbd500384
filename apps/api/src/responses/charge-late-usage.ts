import type { Usage } from '@sluice/canonical';
import type { ApiKey } from '../auth/api-keys.ts';
import { TEXT_PROTOCOLS } from '../generation/text-protocols.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import type { StoredResponse } from './store/stored-response.ts';

/**
 * Charges usage beyond the reservation, once. The claim is recorded before the charge, so a crash may lose the charge
 * but cannot repeat it. Never throws.
 * @param response the vendor's JSON
 */
export async function chargeLateUsage(
  deps: Pick<ResponsesDeps, 'responses' | 'catalog' | 'charges' | 'logger'>,
  apiKey: ApiKey,
  record: StoredResponse,
  response: string,
): Promise<void> {
  const { charged } = record;
  const usage = charged && finalUsage(response);
  if (!usage) return;
  try {
    if (!(await deps.responses.takeCharge(record))) return;
  } catch (error) {
    return deps.logger.warn({ err: error }, 'usage of a background response not charged yet');
  }
  const price = deps.catalog.find(record.model)?.model.price;
  deps.charges.charge(apiKey, price, usage, { id: `late_${record.id}`, usage: charged });
}

function finalUsage(response: string): Usage | undefined {
  try {
    const value: unknown = JSON.parse(response);
    if (typeof value !== 'object' || value === null || !('status' in value) || !('usage' in value)) return undefined;
    if (value.status === 'queued' || value.status === 'in_progress') return undefined;
    return TEXT_PROTOCOLS.responses.decodeUsage(value.usage);
  } catch {
    return undefined; // Invalid usage is relayed without a charge.
  }
}
