import { errorTable } from '../media/format-error.ts';
import { invalidValue, openAiError, QUOTA_EXCEEDED } from '../openai-style/openai-error.ts';

const RATE_LIMIT = { type: 'requests', code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } };
const THROTTLED = [429, 'Rate limit reached for videos.', RATE_LIMIT] as const;

export const formatVideosError = errorTable(openAiError, (detail) => ({
  malformed: [400, detail, { code: 'invalid_request' }],
  refused: invalidValue('prompt', "Invalid value for 'prompt'."),
  moderation: [
    400,
    'Your request was blocked by our moderation system.',
    { param: 'prompt', code: 'moderation_blocked' },
  ],
  balance: QUOTA_EXCEEDED,
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [
    503,
    'The engine is currently overloaded, please try again later.',
    { type: 'server_error', code: 'service_unavailable' },
  ],
  broken: [
    500,
    'The server had an error while processing your request.',
    { type: 'server_error', code: 'server_error' },
  ],
  not_found: [404, `Video with id '${detail}' not found.`, { param: 'video_id', code: 'not_found' }],
  unknown_call: [404, `Invalid URL (${detail})`, { code: 'not_found' }],
}));
