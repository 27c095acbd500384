import type { ReasoningBlock } from '@sluice/canonical';
import { asNonEmptyString, asObjects, type JsonObject } from '../../json/values.ts';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';

/** Decodes the reasoning that a client returns: OpenRouter's `reasoning_details` or LiteLLM's `thinking_blocks`. */
export function decodeReasoningBlocks(message: JsonObject, tokenCodec: TokenCodec): ReasoningBlock[] {
  const details = asObjects(message['reasoning_details']);
  const blocks =
    details.length > 0 ? details.map(fieldsOfDetail) : asObjects(message['thinking_blocks']).map(fieldsOfThinking);
  return blocks.flatMap((block) => toBlock(block, tokenCodec));
}

/** Returns the reasoning text: `reasoning_content` or `reasoning`. */
export function reasoningText(message: JsonObject): string | undefined {
  return asNonEmptyString(message['reasoning_content']) ?? asNonEmptyString(message['reasoning']);
}

interface SentReasoning {
  text?: string | undefined;
  token: string | undefined;
  isSummary?: boolean;
  redacted?: true;
  id?: string | undefined;
}

function fieldsOfDetail(detail: JsonObject): SentReasoning {
  const id = asNonEmptyString(detail['id']);
  if (detail['type'] === 'reasoning.encrypted') return { token: asNonEmptyString(detail['data']), redacted: true, id };
  const isSummary = detail['type'] === 'reasoning.summary';
  const text = asNonEmptyString(detail[isSummary ? 'summary' : 'text']);
  return { text, token: asNonEmptyString(detail['signature']), isSummary, id };
}

function fieldsOfThinking(block: JsonObject): SentReasoning {
  if (block['type'] === 'redacted_thinking') return { token: asNonEmptyString(block['data']), redacted: true };
  return { text: asNonEmptyString(block['thinking']), token: asNonEmptyString(block['signature']) };
}

function toBlock({ text, token, isSummary, redacted, id }: SentReasoning, tokenCodec: TokenCodec): ReasoningBlock[] {
  if (text === undefined && token === undefined) return [];
  return [
    {
      type: 'reasoning',
      text: text === undefined ? [] : [text],
      isSummary: isSummary === true,
      redacted,
      id,
      opaqueToken: token === undefined ? undefined : readToken(tokenCodec, 'chat-completions', token),
    },
  ];
}
