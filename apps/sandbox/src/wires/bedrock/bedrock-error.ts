import { countInput } from '../../text/complete-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { TextRequest } from '../../text/text-request.ts';
import type { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { awsError } from '../aws/aws-error.ts';
import { errorTable } from '../media/format-error.ts';

export function invalidBedrock(message: string): WireError {
  return awsError(400, 'ValidationException', message);
}

export function formatHttpError(status: number, message: string): WireError {
  if (status === 413) return awsError(413, 'RequestEntityTooLargeException', message);
  if (status >= 500) return awsError(status, 'InternalServerException', message);
  return awsError(status, status === 404 ? 'UnknownOperationException' : 'SerializationException', message);
}

/** Formats an error in a model's input. */
export function refuseBody({ field, message }: BodyError): WireError {
  return malformed(`#/${field}: ${message}`);
}

export function malformed(rule: string): WireError {
  return invalidBedrock(`Malformed input request: ${rule}, please reformat your input and try again.`);
}

const BLOCKED =
  'This request has been blocked by our content filters. Our filters automatically flagged this prompt because it may conflict our AUP or AWS Responsible AI Policy. Please adjust your text prompt to submit a new request.';
const UNPAID =
  'Model access is denied due to INVALID_PAYMENT_INSTRUMENT:A valid payment instrument must be provided.. Your AWS Marketplace subscription for this model cannot be completed at this time.';

/** Formats the errors of images and videos. */
export const formatMediaError = errorTable(awsError, (detail) => ({
  malformed: [400, 'SerializationException', detail],
  refused: malformed('the prompt is not valid'),
  moderation: [400, 'ValidationException', BLOCKED],
  balance: [403, 'AccessDeniedException', UNPAID],
  throttled: [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  concurrency: [400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota for your account.'],
  unavailable: [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'],
  broken: [500, 'InternalServerException', 'The system encountered an unexpected error.'],
  not_found: [400, 'ValidationException', `The invocation ${detail} does not exist.`],
  unknown_call: [404, 'UnknownOperationException', detail],
}));

export function formatBedrockFault(fault: TextFault, request: TextRequest): WireError {
  switch (fault) {
    case 'unauthorized':
      return awsError(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.');
    case 'throttled': {
      const message = 'Too many requests, please wait before trying again.';
      return awsError(429, 'ThrottlingException', message, { 'retry-after': '1' });
    }
    case 'broken':
      return awsError(500, 'InternalServerException', 'The system encountered an unexpected error.');
    case 'overloaded':
      return awsError(503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.');
    case 'context': {
      const tokens = countInput(request).input + 200_000;
      const cause = `prompt is too long: ${tokens} tokens > 200000 maximum`;
      return invalidBedrock(`The model returned the following errors: ${cause}`);
    }
  }
}
