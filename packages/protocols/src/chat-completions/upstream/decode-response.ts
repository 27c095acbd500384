import { GatewayError, type Choice, type ContentBlock, type Generation, type ToolCallBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { audioBlock, contentChunks, decodeCitations, tokenOf } from './decode-blocks.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { reasoningText } from '../wire/decode-reasoning.ts';
import { decodeInnerError } from '../wire/errors.ts';
import { decodeFinish } from '../wire/finish-reason.ts';
import { asArray, asNonEmptyString, isSet, objectOrEmpty, type JsonObject } from '../../json/values.ts';
import { decodeUsage } from '../wire/usage.ts';

/**
 * Decodes an upstream's complete response.
 * @throws GatewayError `provider_error` if it is invalid, or the error that a response with status 200 contains
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (!isRecord(body)) throw notUnderstood('it is not a JSON object');
  if (isSet(body['error'])) throw decodeInnerError(body);
  const choices = asArray(body['choices']).filter((choice) => isRecord(choice));
  if (choices.length === 0) throw notUnderstood('it has no choices');
  let usage = decodeUsage(body['usage']);
  // Moonshot reports usage inside the choice.
  for (const choice of choices) usage = decodeUsage(choice['usage'], usage);
  const serviceTier = asNonEmptyString(body['service_tier']);
  return {
    id: asNonEmptyString(body['id']) ?? context.newId('chatcmpl-'),
    model: asNonEmptyString(body['model']) ?? context.target.model,
    choices: choices
      .map((choice, at) => ({ at: typeof choice['index'] === 'number' ? choice['index'] : at, choice }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ choice }) => decodeChoice(choice, context)),
    ...(usage && { usage }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
}

function decodeChoice(choice: JsonObject, context: UpstreamResponseContext): Choice {
  const message = objectOrEmpty(choice['message']);
  const content = decodeMessage(message, context);
  const reason = asNonEmptyString(choice['finish_reason']);
  if (reason === 'error') throw decodeInnerError({ error: objectOrEmpty(choice['error']) });
  const finish = decodeFinish(reason, {
    hasCalls: content.some(({ type }) => type === 'tool-call'),
    hasRefusal: content.some(({ type }) => type === 'refusal'),
  });
  // vLLM reports the stop sequence.
  const met = asNonEmptyString(choice['stop_reason']);
  if (met !== undefined && finish === 'stop') return { content, finish: 'stop_sequence', stopSequence: met };
  return { content, finish };
}

function decodeMessage(message: JsonObject, context: UpstreamResponseContext): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const thought = reasoningText(message);
  if (thought !== undefined) blocks.push({ type: 'reasoning', text: [thought], isSummary: false });
  const citations = decodeCitations(message['annotations']);
  for (const { type, text } of contentChunks(message['content'])) {
    if (type === 'reasoning') blocks.push({ type, text: [text], isSummary: false });
    else blocks.push({ type, text, ...(citations.length > 0 && { citations: citations.splice(0) }) });
  }
  const signature = thoughtSignatureOf(message);
  if (signature !== undefined) {
    const opaqueToken = tokenOf(signature, context.target);
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

function decodeCall(call: JsonObject, context: UpstreamResponseContext): ToolCallBlock {
  const isCustom = isRecord(call['custom']);
  const called = objectOrEmpty(isCustom ? call['custom'] : call['function']);
  const name = asNonEmptyString(called['name']);
  if (name === undefined) throw notUnderstood('a tool call has no name');
  const given = called[isCustom ? 'input' : 'arguments'];
  const signature = thoughtSignatureOf(call);
  return {
    type: 'tool-call',
    callId: asNonEmptyString(call['id']) ?? context.newId('call_'),
    name,
    kind: isCustom ? 'custom' : 'function',
    // Some servers send the arguments as the object itself.
    arguments: typeof given === 'string' ? given : isSet(given) ? JSON.stringify(given) : '',
    ...(signature !== undefined && { opaqueToken: tokenOf(signature, context.target) }),
  };
}

function notUnderstood(why: string): GatewayError {
  return new GatewayError('provider_error', `The upstream returned an invalid response: ${why}.`);
}
