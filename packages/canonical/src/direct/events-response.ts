import type { UpstreamRefusalError } from '../errors/upstream-refusal-error.ts';
import type { ResponseBody } from '../exchange/response-body.ts';

export interface EventsResponse {
  kind: 'events';
  body: ResponseBody;
  refusal(this: void, event: unknown): UpstreamRefusalError;
}
