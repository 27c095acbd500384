import type { Usage } from '@sluice/canonical';
import type { StoredResponse } from './store/stored-response.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';

/**
 * Charges what an answer that its vendor has made in the background has used beyond what was charged when it was asked
 * for. Once: whoever reads it again pays nothing. That is noted first, since nobody may be charged twice: where the process
 * ends in between, the rest is never charged. Never throws.
 * @param response what the vendor tells of it, as JSON
 */
export async function chargeLateUsage(
  deps: GenerationDeps,
  { apiKey }: TextCall,
  record: StoredResponse,
  response: string,
): Promise<void> {
  const { charged } = record;
  const usage = charged && finalUsage(deps, response);
  if (!usage) return;
  try {
    if (!(await deps.responses.takeCharge(record))) return;
  } catch (error) {
    return deps.logger.warn({ err: error }, 'what an answer used is not charged before it is read again');
  }
  const price = deps.catalog.find(record.model)?.model.price;
  deps.charges.charge(apiKey, price, usage, { id: `late_${record.id}`, usage: charged });
}

/** What an answer has used that has ended; undefined for one that has not, and for whatever else is told. */
function finalUsage({ protocols }: GenerationDeps, response: string): Usage | undefined {
  try {
    const told: unknown = JSON.parse(response);
    if (typeof told !== 'object' || told === null || !('status' in told) || !('usage' in told)) return undefined;
    if (told.status === 'queued' || told.status === 'in_progress') return undefined;
    return protocols.responses.decodeUsage(told.usage);
  } catch {
    return undefined; // the client's to see
  }
}
