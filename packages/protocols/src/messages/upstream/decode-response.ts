import { type Generation, GatewayError } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeResponseBlock } from './decode-response-block.ts';
import { decodeError } from '../wire/errors.ts';
import { JSON_TOOL } from './json-response.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';
import { type JsonObject, asObjects, asString } from '../../json/values.ts';

/**
 * Reads a complete response.
 * @throws GatewayError `provider_error` when it is not a message, or the error of an error body
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (isRecord(body) && body['type'] === 'error') throw decodeError({ status: 200, headers: {}, body });
  if (!isRecord(body) || !Array.isArray(body['content'])) {
    throw new GatewayError('provider_error', 'The upstream returned an invalid response.', { cause: body });
  }
  const blocks = responseOf(asObjects(body['content']));
  const content = blocks.flatMap((block) => decodeResponseBlock(block, context) ?? []);
  const calls = content.some(({ type }) => type === 'tool-call');
  const usage = decodeUsage(body['usage']);
  const tier = isRecord(body['usage']) ? asString(body['usage']['service_tier']) : undefined;
  return {
    id: asString(body['id']) ?? context.newId('msg_'),
    model: asString(body['model']) ?? context.target.model,
    choices: [{ content, ...decodeFinish(body, calls) }],
    ...(usage && { usage }),
    ...(tier !== undefined && { serviceTier: tier === 'standard' ? 'default' : tier }),
  };
}

/** Text next to the input of {@link JSON_TOOL} would break the JSON. */
function responseOf(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const hasResponse = blocks.some(({ type, name }) => type === 'tool_use' && name === JSON_TOOL);
  return hasResponse ? blocks.filter(({ type }) => type !== 'text') : blocks;
}
