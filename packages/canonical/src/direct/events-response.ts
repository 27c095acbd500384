import type { UpstreamRefusalError } from '../upstream-refusal-error.ts';
import type { ResponseBody } from '../response-body.ts';

export interface EventsResponse {
  kind: 'events';
  body: ResponseBody;
  refusal(this: void, event: unknown): UpstreamRefusalError;
}
