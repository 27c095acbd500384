import type { FormatError } from '../media/format-error.ts';
import { VendorError, videoNotFound } from './vendor-error.ts';

export const formatVideosError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return new VendorError(400, detail, { code: 'invalid_request' });
    case 'refused':
      return new VendorError(400, "Invalid value for 'prompt'.", { param: 'prompt', code: 'invalid_value' });
    case 'moderation': {
      const message = 'Your request was blocked by our moderation system.';
      return new VendorError(400, message, { param: 'prompt', code: 'moderation_blocked' });
    }
    case 'balance': {
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      return new VendorError(429, message, { type: 'insufficient_quota', code: 'insufficient_quota' });
    }
    case 'throttled':
    case 'concurrency': {
      const headers = { 'retry-after': '1' };
      const message = 'Rate limit reached for videos.';
      return new VendorError(429, message, { type: 'requests', code: 'rate_limit_exceeded', headers });
    }
    case 'unavailable': {
      const message = 'The engine is currently overloaded, please try again later.';
      return new VendorError(503, message, { type: 'server_error', code: 'service_unavailable' });
    }
    case 'broken': {
      const message = 'The server had an error while processing your request.';
      return new VendorError(500, message, { type: 'server_error', code: 'server_error' });
    }
    case 'not_found':
      return videoNotFound(detail);
    case 'unknown_call':
      return new VendorError(404, `Invalid URL (${detail})`, { code: 'not_found' });
  }
};
