import {
  GatewayError,
  type Choice,
  type ContentBlock,
  type Generation,
  type ToolCallBlock,
  invalidResponseMessage,
} from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { audioBlock, callFields, contentChunks, decodeCitations, signatureToken } from './decode-blocks.ts';
import { reportChoice, reportCompletion, reportStopReason } from './report-unread.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { reasoningText } from '../wire/decode-reasoning.ts';
import { decodeInnerError } from '../wire/errors.ts';
import { decodeFinish } from '../wire/finish-reason.ts';
import { asArray, asNonEmptyString, asNumber, isSet, objectOrEmpty, type JsonObject } from '../../json/values.ts';
import { decodeUsage } from '../wire/usage.ts';

/**
 * Decodes an upstream's complete response.
 * @throws GatewayError `provider_error` if the response is invalid, or the vendor's error if a response with status 200
 * contains one
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (!isRecord(body)) throw invalidResponse('it is not a JSON object');
  if (isSet(body['error'])) throw decodeInnerError(body);
  const choices = asArray(body['choices']).filter((choice) => isRecord(choice));
  if (choices.length === 0) throw invalidResponse('it has no choices');
  reportCompletion(body, context.report);
  const sibling = (name: string): unknown => body[name];
  let usage = decodeUsage(body['usage'], undefined, sibling);
  // Moonshot reports usage inside the choice.
  for (const choice of choices) usage = decodeUsage(choice['usage'], usage, sibling);
  return {
    id: asNonEmptyString(body['id']) ?? context.newId('chatcmpl-'),
    model: asNonEmptyString(body['model']) ?? context.target.model,
    choices: choices
      .map((choice, position) => ({ index: asNumber(choice['index']) ?? position, choice }))
      .toSorted((a, b) => a.index - b.index)
      .map(({ choice }) => decodeChoice(choice, context)),
    usage,
    serviceTier: asNonEmptyString(body['service_tier']),
  };
}

function decodeChoice(choice: JsonObject, context: UpstreamResponseContext): Choice {
  const message = objectOrEmpty(choice['message']);
  reportChoice(choice, message, context.report);
  const content = decodeMessage(message, context);
  const reason = asNonEmptyString(choice['finish_reason']);
  if (reason === 'error') throw decodeInnerError({ error: objectOrEmpty(choice['error']) });
  const finish = decodeFinish(reason, {
    hasCalls: content.some(({ type }) => type === 'tool-call'),
    hasRefusal: content.some(({ type }) => type === 'refusal'),
  });
  // vLLM reports the matched stop sequence here.
  const stopSequence = asNonEmptyString(choice['stop_reason']);
  if (stopSequence === undefined || finish !== 'stop') {
    reportStopReason(choice, context.report);
    return { content, finish };
  }
  return { content, finish: 'stop_sequence', stopSequence };
}

function decodeMessage(message: JsonObject, context: UpstreamResponseContext): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const thought = reasoningText(message);
  if (thought !== undefined) blocks.push({ type: 'reasoning', text: [thought], isSummary: false });
  const citations = decodeCitations(message['annotations']);
  for (const { type, text } of contentChunks(message['content'])) {
    if (type === 'reasoning') blocks.push({ type, text: [text], isSummary: false });
    else blocks.push({ type, text, citations: citations.length > 0 ? citations.splice(0) : undefined });
  }
  if (citations.length > 0) context.report?.({ field: 'response.choices[].message.annotations', how: 'dropped' });
  const opaqueToken = signatureToken(message, context.target);
  if (opaqueToken) {
    const last = blocks.findLast((block) => block.type === 'text');
    if (last) last.opaqueToken = opaqueToken;
    else blocks.push({ type: 'text', text: '', opaqueToken });
  }
  const refusal = asNonEmptyString(message['refusal']);
  if (refusal !== undefined) blocks.push({ type: 'refusal', text: refusal });
  for (const image of asArray(message['images'])) {
    const block = decodeResponseImage(image);
    if (block) blocks.push(block);
  }
  const audio = objectOrEmpty(message['audio']);
  const data = asNonEmptyString(audio['data']);
  if (data !== undefined) blocks.push(audioBlock(data, asNonEmptyString(audio['transcript'])));
  for (const call of asArray(message['tool_calls'])) if (isRecord(call)) blocks.push(decodeCall(call, context));
  const legacy = message['function_call'];
  if (isRecord(legacy)) blocks.push(decodeCall({ function: legacy }, context));
  return blocks;
}

function decodeCall(call: JsonObject, { target, newId }: UpstreamResponseContext): ToolCallBlock {
  const { id, name, kind, args, opaqueToken } = callFields(call, target);
  if (name === undefined) throw invalidResponse('a tool call has no name');
  const text = typeof args === 'string' ? args : isSet(args) ? JSON.stringify(args) : '';
  return { type: 'tool-call', callId: id ?? newId('call_'), name, kind, arguments: text, opaqueToken };
}

function invalidResponse(why: string): GatewayError {
  return new GatewayError('provider_error', invalidResponseMessage(why));
}
