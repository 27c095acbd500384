import type { Usage } from '@sluice/canonical';
import type { Admission, RecordedUsage } from '@sluice/limits';
import type { ApiKey } from '../../auth/api-keys.ts';
import { outcomeJson, type RequestOutcome } from '../../ledger/request-entry.ts';
import { tokensOf } from './max-tokens.ts';

/** The charge of a request as long as its usage is unknown. As JSON, it is part of a job, which learns the usage later. */
export interface OpenCharge extends RecordedUsage {
  /** The maximum usage. */
  max?: Usage | undefined;
}

interface OpenParts {
  admission: Admission;
  /** The outcome with the maximum usage. */
  outcome: RequestOutcome;
  /** The ledger entry of the request without its outcome, as JSON. Undefined without a ledger. */
  entry: string | undefined;
}

type Limited = Pick<ApiKey, 'limits' | 'budget'>;

export function openCharge(key: Limited, { admission, outcome, entry }: OpenParts): OpenCharge {
  const max = outcome.use?.usage;
  return { admission, used: usedBy(key, outcome), entry: entry && entryWith(entry, outcome), ...(max && { max }) };
}

/** Returns the charge of a request whose usage became known. */
export function knownCharge(
  key: Limited,
  { admission, entry }: OpenCharge,
  outcome: RequestOutcome,
  { at, errorCode }: { at: number; errorCode: string | undefined },
): RecordedUsage {
  return { admission, used: usedBy(key, outcome), entry: entry && entryWith(entry, outcome, { at, errorCode }) };
}

function usedBy({ limits, budget }: Limited, { use, cost }: RequestOutcome): RecordedUsage['used'] {
  return {
    tokens: limits?.tpm === undefined ? 0 : tokensOf(use?.usage),
    nanos: budget ? (cost?.nanos ?? 0) : 0,
  };
}

/** Replaces the outcome of an entry. The vendor has accepted the request, so its status is 200. */
function entryWith(entry: string, outcome: RequestOutcome, more: { at?: number; errorCode?: string | undefined } = {}) {
  // The cast is safe because `requestEntry` wrote this object.
  const members = Object.entries(JSON.parse(entry) as object).filter(([name]) => !OUTCOME.has(name));
  const json = JSON.stringify({ ...Object.fromEntries(members), status: 200, ...more });
  return `${json.slice(0, -1)}${outcomeJson(outcome, false)}}`;
}

const OUTCOME: ReadonlySet<string> = new Set(['usage', 'costNanos', 'lines', 'priceSource', 'errorCode']);
