import type { UpstreamRefusalError } from './direct-capability.ts';
import type { AnswerBody } from './text-capability.ts';

/** An answer that comes as server-sent events. */
export interface EventsAnswer {
  kind: 'events';
  body: AnswerBody;
  /** What an event that tells an error comes to, in words that a client may see. */
  refusal(this: void, told: unknown): UpstreamRefusalError;
}
