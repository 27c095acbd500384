import { type Generation, GatewayError, invalidResponseMessage } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asObjects, asString, objectOrEmpty } from '../../json/values.ts';
import { decodeError } from '../wire/decode-error.ts';
import { decodeServiceTier } from '../wire/service-tier.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';
import { decodeResponseBlock } from './decode-response-block.ts';
import { reportBlock, reportResponse } from './report-unread.ts';

/**
 * Decodes the response of `Converse`, which has no id and no model.
 * @throws GatewayError `provider_error` if the body is not a message, or the error of an error body
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (!isRecord(body) || !isRecord(body['output'])) {
    if (isRecord(body) && asString(body['__type']) !== undefined) throw decodeError({ status: 200, headers: {}, body });
    throw new GatewayError('provider_error', invalidResponseMessage(), { cause: body });
  }
  reportResponse(body, context.report);
  const blocks = asObjects(objectOrEmpty(body['output']['message'])['content']);
  for (const block of blocks) reportBlock(block, context.report);
  const content = blocks.flatMap((block) => decodeResponseBlock(block, context) ?? []);
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  return {
    id: context.newId('msg_'),
    model: context.target.model,
    choices: [{ content, ...decodeFinish(body, hasCalls) }],
    usage: decodeUsage(body['usage'], body['serviceTier']),
    serviceTier: decodeServiceTier(body['serviceTier']),
  };
}
