import { type Generation, GatewayError, invalidResponseMessage } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeResponseBlock } from './decode-response-block.ts';
import { decodeError } from '../wire/errors.ts';
import { JSON_TOOL } from './json-response.ts';
import { reportBlock, reportMessage } from './report-unread.ts';
import { decodeServiceTier } from '../wire/service-tier.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';
import { type JsonObject, asObjects, asString } from '../../json/values.ts';

/**
 * Decodes a complete response.
 * @throws GatewayError `provider_error` if the body is not a message, or the vendor's error for an error body
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (isRecord(body) && body['type'] === 'error') throw decodeError({ status: 200, headers: {}, body });
  if (!isRecord(body) || !Array.isArray(body['content'])) {
    throw new GatewayError('provider_error', invalidResponseMessage(), { cause: body });
  }
  reportMessage(body, context.report);
  const blocks = withoutExtraText(asObjects(body['content']));
  for (const block of blocks) reportBlock(block, context.report);
  const content = blocks.flatMap((block) => decodeResponseBlock(block, context) ?? []);
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  return {
    id: asString(body['id']) ?? context.newId('msg_'),
    model: asString(body['model']) ?? context.target.model,
    choices: [{ content, ...decodeFinish(body, hasCalls) }],
    usage: decodeUsage(body['usage']),
    serviceTier: decodeServiceTier(body['usage']),
  };
}

/** Removes any text next to a {@link JSON_TOOL} call, because it would break the JSON. */
function withoutExtraText(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const hasResponse = blocks.some(({ type, name }) => type === 'tool_use' && name === JSON_TOOL);
  return hasResponse ? blocks.filter(({ type }) => type !== 'text') : blocks;
}
