import { errorTable } from '../media/format-error.ts';
import { BROKEN, generativeError, invalidArgument, OVERLOADED, THROTTLED } from './google-error.ts';

const INVALID = 'Request contains an invalid argument.';

/** Errors of image and video APIs. APIs that moderate prompts override `moderation`. */
export const formatGoogleError = errorTable(generativeError, (detail) => ({
  malformed: [400, `Invalid JSON payload received. ${detail}`],
  refused: invalidArgument(INVALID),
  moderation: invalidArgument(INVALID),
  balance: [429, 'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.'],
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: OVERLOADED,
  broken: BROKEN,
  not_found: [404, 'Requested entity was not found.'],
  unknown_call: [404, `Method not found: ${detail.split('?')[0]}`],
}));
