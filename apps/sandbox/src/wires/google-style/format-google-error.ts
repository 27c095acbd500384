import type { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';
import { generativeError, invalidArgument } from './google-error.ts';

const RETRY = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }];

/** Errors of images and videos; each wire reports moderation in its own way. */
export function formatGoogleError(fault: Exclude<Parameters<FormatError>[0], 'moderation'>, detail = ''): WireError {
  switch (fault) {
    case 'malformed':
      return generativeError(400, `Invalid JSON payload received. ${detail}`);
    case 'refused':
      return invalidArgument('Request contains an invalid argument.');
    case 'balance': {
      const message =
        'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.';
      return generativeError(429, message);
    }
    case 'throttled':
    case 'concurrency': {
      const words = 'You exceeded your current quota, please check your plan and billing details.';
      return generativeError(429, `${words} Please retry in 1s.`, RETRY);
    }
    case 'unavailable':
      return generativeError(503, 'The model is overloaded. Please try again later.');
    case 'broken': {
      const where = 'https://developers.generativeai.google/guide/troubleshooting';
      return generativeError(500, `An internal error has occurred. Please retry or report in ${where}`);
    }
    case 'not_found':
      return generativeError(404, 'Requested entity was not found.');
    case 'unknown_call':
      return generativeError(404, `Method not found: ${detail.split('?')[0]}`);
  }
}
