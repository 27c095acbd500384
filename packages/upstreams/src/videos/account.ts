import type { UpstreamContext } from '../upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';

/** What {@link createVideosUpstream} needs. */
export interface VideosOptions extends UpstreamContext {
  /** e.g. `https://vendor.example/v1`; a slash at the end does not count. */
  baseUrl: string;
  /** Sent as Bearer; absent: no credential is sent. */
  apiKey?: string | undefined;
}

/**
 * Headers that say who is asking. A job stays with the base URL that accepted it; where the account's name now means
 * another origin, its key is none of that vendor's business and is left out.
 */
export function credentialHeaders(
  { apiKey, baseUrl }: VideosOptions,
  job: { baseUrl: string } = { baseUrl },
): Partial<Record<SendableHeader, string>> {
  const isHome = new URL(job.baseUrl).origin === new URL(baseUrl).origin;
  return apiKey === undefined || !isHome ? {} : { authorization: `Bearer ${apiKey}` };
}

/** `{baseUrl}/videos/{id}{rest}`; the id is one path segment, whatever it holds. */
export function jobUrl(job: { baseUrl: string; upstreamId: string }, rest = ''): string {
  return `${withoutSlash(job.baseUrl)}/videos/${encodeURIComponent(job.upstreamId)}${rest}`;
}

/** A base URL without slashes at its end. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Words that no message of this account may hold: its key, its host and the job's, and the job's id. */
export function secretsOf({ apiKey, baseUrl }: VideosOptions, job?: { baseUrl: string; upstreamId: string }): string[] {
  const hosts = [baseUrl, job?.baseUrl].map((url) => (url === undefined ? undefined : URL.parse(url)?.host));
  return [apiKey, ...hosts, job?.upstreamId].filter((word) => word !== undefined);
}
