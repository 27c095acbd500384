import type { UpstreamRefusalError } from '../upstream-refusal-error.ts';
import type { ResponseBody } from '../response-body.ts';

/** A response of server-sent events. */
export interface EventsResponse {
  kind: 'events';
  body: ResponseBody;
  /** The client-safe error for an error event. */
  refusal(this: void, event: unknown): UpstreamRefusalError;
}
