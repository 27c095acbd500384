import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';
import {
  invalidValue,
  openAiError,
  OVERLOADED,
  QUOTA_EXCEEDED,
  SERVER_ERROR,
  throttledError,
} from '../openai-style/openai-error.ts';

const USER_ERROR = 'image_generation_user_error';

function moderationBlocked(): WireError {
  const problem = 'Your request was rejected by the safety system. If you believe this is an error, contact us at';
  const message = (id: string): string => `${problem} help.openai.com and include the request ID ${id}.`;
  const error = { type: USER_ERROR, param: null, code: 'moderation_blocked' };
  return new WireError(400, problem, (id) => ({ error: { message: message(id), ...error } }));
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

const THROTTLED = throttledError('Rate limit reached on images per min. Please try again in 1s.');

export const formatImagesError = errorTable(openAiError, (detail) => ({
  malformed: [400, detail],
  refused: invalidValue('prompt', "Invalid value for 'prompt'."),
  moderation: moderationBlocked(),
  balance: QUOTA_EXCEEDED,
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: OVERLOADED,
  broken: [500, SERVER_ERROR, { type: 'server_error', code: 'server_error' }],
  not_found: [404, `Invalid URL (${detail})`],
  unknown_call: [404, `Invalid URL (${detail})`],
}));
