import type { Usage } from '@sluice/canonical';
import { responsesProtocol } from '@sluice/protocols';

const FINAL = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

export interface EndedResponse {
  status: (typeof FINAL)[number];
  /** With the searches and the service tier that stand next to it. Undefined if the vendor reports no valid usage. */
  usage: Usage | undefined;
  errorCode: string | undefined;
}

/**
 * Reads the end of a vendor's response.
 * @param response a response object of the Responses API as JSON
 * @returns undefined if it is not valid, or has not ended
 */
export function readEnded(response: string): EndedResponse | undefined {
  const members = membersOf(response);
  const status = FINAL.find((one) => one === members.get('status'));
  return status && { status, usage: usageIn(members), errorCode: ERROR_CODES[status] };
}

/** Reads the usage of a vendor's object, e.g. of a compaction. Undefined if it reports no valid usage. */
export function reportedUsage(object: string): Usage | undefined {
  return usageIn(membersOf(object));
}

function usageIn(members: ReadonlyMap<string, unknown>): Usage | undefined {
  return responsesProtocol.decodeUsage(members.get('usage'), undefined, (name) => members.get(name));
}

/** Invalid objects have no members: they are relayed without a charge. */
function membersOf(object: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(object);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

/** Codes in the ledger. Vendors report any code. */
const ERROR_CODES: Readonly<Partial<Record<EndedResponse['status'], string>>> = {
  failed: 'provider_error',
  cancelled: 'aborted',
};
