import type { UpstreamContext } from '../upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';

/** What {@link createVideosUpstream} needs. */
export interface VideosOptions extends UpstreamContext {
  /** e.g. `https://vendor.example/v1`; a slash at the end does not count. */
  baseUrl: string;
  /** Sent as Bearer; absent: no credential is sent. */
  apiKey?: string | undefined;
}

/** Headers that say who is asking. */
export function credentialHeaders({ apiKey }: VideosOptions): Partial<Record<SendableHeader, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** `{baseUrl}/videos/{id}{rest}`; the id is one path segment, whatever it holds. */
export function jobUrl(job: { baseUrl: string; upstreamId: string }, rest = ''): string {
  return `${withoutSlash(job.baseUrl)}/videos/${encodeURIComponent(job.upstreamId)}${rest}`;
}

/** A base URL without slashes at its end. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Words that no message of this account may hold: its key, its host, and what else is secret about a call. */
export function secretsOf(options: VideosOptions, ...more: string[]): string[] {
  const host = URL.parse(options.baseUrl)?.host;
  return [options.apiKey, host, ...more].filter((word) => word !== undefined);
}
