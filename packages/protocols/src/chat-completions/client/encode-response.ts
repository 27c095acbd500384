import { GatewayError, type Choice, type Generation, type ReasoningBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import {
  responseId,
  responseStyle,
  callArguments,
  calledName,
  encodeResponseMedia,
  encodeCitations,
  extraContent,
  type ResponseStyle,
} from './encode-blocks.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { packReasoning, PARAGRAPH_BREAK } from '../wire/reasoning-carrier.ts';
import { encodeUsage } from '../wire/usage.ts';

/**
 * Encodes a complete response.
 * @throws GatewayError `provider_error` if the upstream ended for an unknown reason and without content
 */
export function encodeResponse(generation: Generation, context: ResponseContext): unknown {
  const style = responseStyle(context);
  const { id, choices, usage, serviceTier } = generation;
  return {
    id: responseId(id, context),
    object: 'chat.completion',
    created: context.createdAt,
    model: context.request.model,
    choices: choices.map((choice, index) => encodeChoice(choice, index, style, context)),
    ...(usage && { usage: encodeUsage(usage) }),
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
  };
}

function encodeChoice(
  { content, finish }: Choice,
  index: number,
  style: ResponseStyle,
  context: ResponseContext,
): unknown {
  if (finish === 'other' && content.length === 0) throw endedForNothing();
  const texts: string[] = [];
  const refusals: string[] = [];
  const thoughts: string[] = [];
  const annotations: unknown[] = [];
  const media: { images: unknown[]; audio?: unknown } = { images: [] };
  const calls: WireCall[] = [];
  let sealed: ReasoningBlock[] = [];
  let closing: string | undefined;
  for (const block of content) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        if (block.citations) annotations.push(...encodeCitations(block.citations, block.text.length));
        if (block.seal) closing = context.tokenCodec.wrap(block.seal);
        break;
      case 'refusal':
        refusals.push(block.text);
        break;
      case 'reasoning':
        thoughts.push(...block.text);
        sealed.push(block);
        break;
      case 'tool-call': {
        const pack = block.seal ? undefined : packReasoning(sealed);
        if (pack) sealed = [];
        const seal = block.seal ?? pack;
        calls.push(encodeCall(block, seal && context.tokenCodec.wrap(seal), context));
        break;
      }
      case 'media': {
        const written = encodeResponseMedia(block, context);
        if (written && 'images' in written) media.images.push(...written.images);
        else if (written) media.audio = written.audio;
        break;
      }
      case 'foreign':
      case 'tool-result':
        break;
    }
  }
  const rest = packReasoning(sealed);
  closing ??= rest && context.tokenCodec.wrap(rest);
  const text = texts.join('');
  const [first] = calls;
  return {
    index,
    message: {
      role: 'assistant',
      content: text === '' && calls.length + refusals.length > 0 ? null : text,
      ...(refusals.length > 0 && { refusal: refusals.join('') }),
      ...(style.showsReasoning && thoughts.length > 0 && { reasoning_content: thoughts.join(PARAGRAPH_BREAK) }),
      ...(annotations.length > 0 && { annotations }),
      ...(media.images.length > 0 && { images: media.images }),
      ...(media.audio !== undefined && { audio: media.audio }),
      ...(style.isLegacy ? first && { function_call: first.function } : calls.length > 0 && { tool_calls: calls }),
      ...(closing !== undefined && { extra_content: extraContent(closing) }),
    },
    finish_reason: encodeFinish(
      finish,
      { hasCalls: calls.length > 0, hasRefusal: refusals.length > 0 },
      style.isLegacy,
    ),
  };
}

interface WireCall {
  id: string;
  type: 'function' | 'custom';
  function?: { name: string; arguments: string };
  custom?: { name: string; input: string };
  extra_content?: unknown;
}

function encodeCall(
  block: Parameters<typeof callArguments>[0] & { callId: string; name: string },
  wrapped: string | undefined,
  context: ResponseContext,
): WireCall {
  const name = calledName(block.name, context);
  const text = callArguments(block);
  return {
    id: block.callId,
    type: block.kind,
    ...(block.kind === 'custom' ? { custom: { name, input: text } } : { function: { name, arguments: text } }),
    ...(wrapped !== undefined && { extra_content: extraContent(wrapped) }),
  };
}

/** A failure without a message must not look like an empty success. */
export function endedForNothing(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the response without content.');
}
