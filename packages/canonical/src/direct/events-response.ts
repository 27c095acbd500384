import type { UpstreamRefusalError } from './direct-capability.ts';
import type { ResponseBody } from '../text/text-capability.ts';

/** An answer that comes as server-sent events. */
export interface EventsResponse {
  kind: 'events';
  body: ResponseBody;
  /** What an event that tells an error comes to, in words that a client may see. */
  refusal(this: void, told: unknown): UpstreamRefusalError;
}
