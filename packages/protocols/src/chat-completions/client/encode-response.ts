import {
  GatewayError,
  type Choice,
  type Generation,
  type OpaqueToken,
  type ReasoningBlock,
  type ToolCallBlock,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import {
  responseId,
  responseStyle,
  callArguments,
  calledName,
  encodeResponseMedia,
  encodeCitations,
  reportFinish,
  type ResponseStyle,
} from './encode-blocks.ts';
import { encodeExtraContent, type ExtraContent } from '../wire/extra-content.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { packReasoning, PARAGRAPH_BREAK } from '../wire/reasoning-pack.ts';
import { encodeUsage } from '../wire/usage.ts';

/**
 * Encodes a complete response.
 * @throws GatewayError `provider_error` if the response has no content and an unknown finish reason
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
    usage: usage && encodeUsage(usage),
    service_tier: serviceTier,
  };
}

function encodeChoice(
  { content, finish, stopSequence, detail }: Choice,
  index: number,
  style: ResponseStyle,
  context: ResponseContext,
): unknown {
  if (finish === 'other' && content.length === 0) throw emptyResponse();
  reportFinish({ stopSequence, detail }, context);
  let text = '';
  const refusals: string[] = [];
  const thoughts: string[] = [];
  const annotations: unknown[] = [];
  const media: { images: unknown[]; audio?: unknown } = { images: [] };
  const calls: WireCall[] = [];
  let unpacked: ReasoningBlock[] = [];
  let textToken: OpaqueToken | undefined;
  for (const block of content) {
    switch (block.type) {
      case 'text':
        annotations.push(...encodeCitations(block.citations ?? [], block.text.length, text.length, context));
        text += block.text;
        textToken = block.opaqueToken ?? textToken;
        break;
      case 'refusal':
        refusals.push(block.text);
        break;
      case 'reasoning':
        thoughts.push(...block.text);
        unpacked.push(block);
        break;
      case 'tool-call': {
        const pack = block.opaqueToken ? undefined : packReasoning(unpacked);
        if (pack) unpacked = [];
        calls.push(encodeCall(block, block.opaqueToken ?? pack, context));
        break;
      }
      case 'media': {
        const encoded = encodeResponseMedia(block, context);
        if (encoded && 'images' in encoded) media.images.push(...encoded.images);
        else if (encoded) media.audio = encoded.audio;
        break;
      }
      case 'foreign':
        context.lost?.(block);
        break;
      case 'tool-result':
        break;
    }
  }
  const token = textToken ?? packReasoning(unpacked);
  return {
    index,
    message: {
      role: 'assistant',
      content: text === '' && calls.length + refusals.length > 0 ? null : text,
      refusal: refusals.length > 0 ? refusals.join('') : undefined,
      reasoning_content: style.showsReasoning && thoughts.length > 0 ? thoughts.join(PARAGRAPH_BREAK) : undefined,
      annotations: annotations.length > 0 ? annotations : undefined,
      images: media.images.length > 0 ? media.images : undefined,
      audio: media.audio,
      function_call: style.isLegacy ? calls[0]?.function : undefined,
      tool_calls: !style.isLegacy && calls.length > 0 ? calls : undefined,
      extra_content: token && encodeExtraContent(context.tokenCodec.wrap(token)),
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
  extra_content: ExtraContent | undefined;
}

function encodeCall(block: ToolCallBlock, token: OpaqueToken | undefined, context: ResponseContext): WireCall {
  const name = calledName(block.name, context);
  const text = callArguments(block);
  return {
    id: block.callId,
    type: block.kind,
    ...(block.kind === 'custom' ? { custom: { name, input: text } } : { function: { name, arguments: text } }),
    extra_content: token && encodeExtraContent(context.tokenCodec.wrap(token)),
  };
}

/** The error for a response with neither a finish reason nor content, which must not look like an empty success. */
export function emptyResponse(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.noContent);
}
