import type { GatewayError } from '@sluice/canonical';
import type { Credential, Rest } from '@sluice/limits';

/** Longer times are treated as the vendor's mistake. */
const MAX_REST_MS = 24 * 3_600_000;

/** Errors of one credential. Another one of the same upstream may still serve the request. */
const OF_THE_CREDENTIAL: ReadonlySet<string> = new Set([
  'rate_limited',
  'provider_auth',
  'provider_quota',
  // Some keys have access to fewer models than others.
  'model_not_found',
]);

/** Whether another credential of the upstream may serve a request that one has refused with this error. */
export function isOfCredential({ code }: Pick<GatewayError, 'code'>): boolean {
  return OF_THE_CREDENTIAL.has(code);
}

/**
 * Lets a credential rest if its vendor limited or rejected it.
 * @param reported the rest that the vendor's headers or body report
 */
export function restAfter(
  credential: Credential,
  { code, retryAfterMs, retryable }: Pick<GatewayError, 'code' | 'retryAfterMs' | 'retryable'>,
  reported: Rest | undefined,
): void {
  // A credential that could not be obtained was not rejected. The next call tries again.
  const isRejection = code !== 'provider_auth' || !retryable;
  const rest = reported ?? (isRejection ? restOf(code, retryAfterMs) : undefined);
  if (rest) credential.restFor({ ...rest, ms: rest.ms === undefined ? undefined : Math.min(rest.ms, MAX_REST_MS) });
}

function restOf(code: GatewayError['code'], retryAfterMs: number | undefined): Rest | undefined {
  if (code === 'rate_limited') return { reason: 'rate_limited', ms: retryAfterMs };
  if (code === 'provider_quota') return { reason: 'quota', ms: retryAfterMs };
  return code === 'provider_auth' ? { reason: 'rejected' } : undefined;
}
