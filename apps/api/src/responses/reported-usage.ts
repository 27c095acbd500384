import type { Usage } from '@sluice/canonical';
import { responsesProtocol } from '@sluice/protocols';

/**
 * Reads the usage of a vendor's response, with the searches and the service tier that stand next to it.
 * @param response a response object of the Responses API as JSON
 * @returns undefined if the response has no valid usage, or if it has not ended
 */
export function reportedUsage(response: string): Usage | undefined {
  try {
    const value: unknown = JSON.parse(response);
    if (typeof value !== 'object' || value === null) return undefined;
    const members = new Map<string, unknown>(Object.entries(value));
    const status = members.get('status');
    if (status === 'queued' || status === 'in_progress') return undefined;
    return responsesProtocol.decodeUsage(members.get('usage'), undefined, (name) => members.get(name));
  } catch {
    return undefined; // Invalid usage is relayed without a charge.
  }
}
