import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lenient, Text } from '../media/lenient.ts';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

const WireError = lenient({ message: Text, Message: Text, __type: Text });

export interface BedrockError {
  /** The name of the exception, e.g. `ThrottlingException`. */
  exception: string;
  message: string | undefined;
}

/** Exceptions of Bedrock (@aws-sdk/client-bedrock-runtime, `errors`) that mean more than their status. */
const DECISIONS: Readonly<Record<string, Decision>> = {
  // A token that was used for another request. The lookup finds out whether its job is the task's.
  ConflictException: 'unknown',
  ModelNotReadyException: 'unavailable',
  // The message in AWS's API reference: "You can resubmit your request later."
  ServiceQuotaExceededException: 'busy',
};

/** The texts of Nova's and Titan's filters (Amazon Nova user guide, "Error handling"). */
const FILTERED = /content filter|responsible ai|acceptable use policy/i;
/** Bedrock cannot write to the bucket, e.g. because it is in another region, or for lack of a permission. */
const NO_BUCKET = /invalid output config/i;
/** Bedrock reports an account without a valid payment method as missing access to the model. */
const UNPAID = /payment_instrument/i;

/** The exception's name is in the header (`Name:url`) or in the body (`prefix#Name`). */
export function readBedrockError({ headers, body }: UpstreamResponse): BedrockError {
  const { message, Message = message, __type: type = '' } = WireError.parse(body) ?? {};
  const [exception = ''] = (headers['x-amzn-errortype'] ?? type.split('#').at(-1) ?? '').split(':', 1);
  return { exception, message: Message };
}

export function bedrockDecision(status: number, { exception, message = '' }: BedrockError): Decision {
  if (status === 400 && FILTERED.test(message)) return 'moderated';
  if (status === 400 && NO_BUCKET.test(message)) return 'credential';
  if (status === 403 && UNPAID.test(message)) return 'balance';
  return DECISIONS[exception] ?? decisionOfStatus(status);
}

/** Whether the reason of a failed job is the content of the request or of the video. */
export function isFiltered(message: string | undefined): boolean {
  return FILTERED.test(message ?? '');
}
