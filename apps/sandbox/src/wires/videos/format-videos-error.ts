import { errorTable } from '../media/format-error.ts';
import { invalidValue, openAiError, QUOTA_EXCEEDED, throttledError } from '../openai-style/openai-error.ts';

const BLOCKED = 'Your request was blocked by our moderation system.';
const BROKEN = 'The server had an error while processing your request.';
const UNAVAILABLE = 'The engine is currently overloaded, please try again later.';
const THROTTLED = throttledError('Rate limit reached for videos.');

export const formatVideosError = errorTable(openAiError, (detail) => ({
  malformed: [400, detail, { code: 'invalid_request' }],
  refused: invalidValue('prompt', "Invalid value for 'prompt'."),
  moderation: [400, BLOCKED, { param: 'prompt', code: 'moderation_blocked' }],
  balance: QUOTA_EXCEEDED,
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [503, UNAVAILABLE, { type: 'server_error', code: 'service_unavailable' }],
  broken: [500, BROKEN, { type: 'server_error', code: 'server_error' }],
  not_found: [404, `Video with id '${detail}' not found.`, { param: 'video_id', code: 'not_found' }],
  unknown_call: [404, `Invalid URL (${detail})`, { code: 'not_found' }],
}));
