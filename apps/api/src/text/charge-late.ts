import type { Usage } from '@sluice/canonical';
import type { StoredResponse } from '../text-state/stored-response.ts';
import type { TextCall, TextRoom } from './text-room.ts';

/**
 * Charges what an answer that its vendor has made in the background has used beyond what was charged when it was asked
 * for. Once: whoever reads it again pays nothing.
 * @param answer what the vendor tells of it, as JSON
 */
export function chargeLate(room: TextRoom, { apiKey }: TextCall, record: StoredResponse, answer: string): void {
  const { charged, ...settled } = record;
  const usage = charged && finalUsage(room, answer);
  if (!usage) return;
  const price = room.catalog.find(record.model)?.model.price;
  // Its own id: what is read twice before the record is amended is charged once.
  room.fares.charge(apiKey, price, usage, { id: `late_${record.id}`, usage: charged });
  room.responses.amend(settled).catch((error: unknown) => {
    room.logger.warn({ err: error }, 'an answer could not be noted as paid');
  });
}

/** What an answer has used that has ended; undefined for one that has not, and for whatever else is told. */
function finalUsage({ protocols }: TextRoom, answer: string): Usage | undefined {
  try {
    const told: unknown = JSON.parse(answer);
    if (typeof told !== 'object' || told === null || !('status' in told) || !('usage' in told)) return undefined;
    if (told.status === 'queued' || told.status === 'in_progress') return undefined;
    return protocols.responses.decodeUsage(told.usage);
  } catch {
    return undefined; // the client's to see
  }
}
