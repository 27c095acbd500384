import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';
import { invalidValue, openAiError, QUOTA_EXCEEDED } from '../openai-style/openai-error.ts';

const USER_ERROR = 'image_generation_user_error';

function moderationBlocked(): WireError {
  const words = 'Your request was rejected by the safety system. If you believe this is an error, contact us at';
  const message = (id: string): string => `${words} help.openai.com and include the request ID ${id}.`;
  const error = { type: USER_ERROR, param: null, code: 'moderation_blocked' };
  return new WireError(400, words, (id) => ({ error: { message: message(id), ...error } }));
}

export function invalidImageFile(at: number): WireError {
  const message = `Invalid image file or mode for image ${at + 1}, please check your image file.`;
  return openAiError(400, message, { type: USER_ERROR, code: 'invalid_image_file' });
}

export function generationFailed(cause: 'error' | 'moderation'): WireError {
  if (cause === 'moderation') return moderationBlocked();
  const type = 'image_generation_server_error';
  return openAiError(500, 'Image generation failed', { type, code: 'image_generation_failed' });
}

const RATE_LIMIT = { type: 'requests', code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } };
const THROTTLED = [429, 'Rate limit reached on images per min. Please try again in 1s.', RATE_LIMIT] as const;

export const formatImagesError = errorTable(openAiError, (detail) => ({
  malformed: [400, detail],
  refused: invalidValue('prompt', "Invalid value for 'prompt'."),
  moderation: moderationBlocked(),
  balance: QUOTA_EXCEEDED,
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [
    503,
    'The engine is currently overloaded, please try again later.',
    { type: 'server_error', code: 'server_is_overloaded' },
  ],
  broken: [
    500,
    'The server had an error while processing your request. Sorry about that!',
    { type: 'server_error', code: 'server_error' },
  ],
  not_found: [404, `Invalid URL (${detail})`],
  unknown_call: [404, `Invalid URL (${detail})`],
}));
