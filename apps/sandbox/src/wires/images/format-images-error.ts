import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';

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

export const formatImagesError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return openAiError(400, detail);
    case 'refused':
      return invalidParameter('prompt', "Invalid value for 'prompt'.", 'invalid_value');
    case 'moderation':
      return moderationBlocked();
    case 'balance': {
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      return openAiError(429, message, { type: 'insufficient_quota', code: 'insufficient_quota' });
    }
    case 'throttled':
    case 'concurrency': {
      const headers = { 'retry-after': '1' };
      const message = 'Rate limit reached on images per min. Please try again in 1s.';
      return openAiError(429, message, { type: 'requests', code: 'rate_limit_exceeded', headers });
    }
    case 'unavailable': {
      const message = 'The engine is currently overloaded, please try again later.';
      return openAiError(503, message, { type: 'server_error', code: 'server_is_overloaded' });
    }
    case 'broken': {
      const message = 'The server had an error while processing your request. Sorry about that!';
      return openAiError(500, message, { type: 'server_error', code: 'server_error' });
    }
    case 'not_found':
    case 'unknown_call':
      return openAiError(404, `Invalid URL (${detail})`);
  }
};
