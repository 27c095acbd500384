import type { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { invalidBedrock } from './bedrock-error.ts';
import {
  type ConverseBlock,
  type ConverseMessage,
  type ConverseRequest,
  ConverseRequestSchema,
  CountTokensSchema,
} from './converse-request.ts';

/** Purposes for which this API creates opaque values. */
export const REASONING = 'converse reasoning';
export const REDACTED = 'converse redacted reasoning';

type Conversation = Pick<ConverseRequest, 'messages' | 'system' | 'toolConfig'>;

const MAX_CACHE_POINTS = 4;

/** @throws WireError 400 for a body that Bedrock rejects */
export function checkConverseRequest(body: unknown, model: string, secretStore: SecretStore): ConverseRequest {
  const request = read(ConverseRequestSchema, body);
  checkConversation(request, model, secretStore);
  return request;
}

/** @throws WireError 400 for a body that Bedrock rejects */
export function checkCountTokens(body: unknown, model: string, secretStore: SecretStore): ConverseRequest {
  const { converse } = read(CountTokensSchema, body).input;
  checkConversation(converse, model, secretStore);
  return converse;
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  return checkBody(schema, body, ({ field, message }) =>
    invalidBedrock(`1 validation error detected: Value at '${field}' failed to satisfy constraint: ${message}`),
  );
}

function checkConversation(
  { messages = [], system = [], toolConfig }: Conversation,
  model: string,
  store: SecretStore,
) {
  if (messages.length === 0) throw invalidBedrock('A conversation must have at least one message.');
  if (messages[0]?.role !== 'user') {
    throw invalidBedrock('A conversation must start with a user message. Try again with a conversation that does.');
  }
  for (const [at, message] of messages.entries()) {
    checkMessage(message, at, messages);
    for (const block of message.content) checkReasoning(block, model, store);
  }
  checkToolTurns(messages);
  checkToolConfig(messages, toolConfig);
  checkCachePoints([...(toolConfig?.tools ?? []), ...system, ...messages.flatMap(({ content }) => content)], model);
}

function checkMessage({ role, content }: ConverseMessage, at: number, messages: readonly ConverseMessage[]): void {
  if (messages[at - 1]?.role === role) {
    throw invalidBedrock('A conversation must alternate between user and assistant roles.');
  }
  for (const { text } of content) {
    if (text !== undefined && text.trim() === '') {
      throw invalidBedrock(`The text field in the ContentBlock object at messages.${at}.content is blank.`);
    }
  }
  if (content.some(({ document }) => document) && !content.some(({ text }) => text !== undefined)) {
    throw invalidBedrock('A text block is required in a message that includes a document.');
  }
  const wrong = content.find(({ toolUse, reasoningContent, toolResult, image, document }) =>
    role === 'user' ? (toolUse ?? reasoningContent) : (toolResult ?? image ?? document),
  );
  if (wrong)
    throw invalidBedrock(`messages.${at}: ${Object.keys(wrong)[0] ?? ''} is not allowed in a ${role} message.`);
}

/** Reasoning must be sent back as the model created it. */
function checkReasoning({ reasoningContent }: ConverseBlock, model: string, store: SecretStore): void {
  const { reasoningText, redactedContent } = reasoningContent ?? {};
  if (redactedContent !== undefined && store.decrypt(REDACTED, redactedContent) === undefined) {
    throw invalidBedrock('The model returned the following errors: Invalid `data` in `redacted_thinking` block');
  }
  if (reasoningText && !store.signed(reasoningText.signature ?? '', REASONING, model, reasoningText.text)) {
    throw invalidBedrock('The model returned the following errors: Invalid `signature` in `thinking` block');
  }
}

/** The turn after tool calls must contain the result of each call. */
function checkToolTurns(messages: readonly ConverseMessage[]): void {
  let calls: string[] = [];
  for (const [at, { content }] of messages.entries()) {
    const results = content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      throw invalidBedrock(
        `Expected toolResult blocks at messages.${at}.content for the following Ids: ${missing.join(', ')}`,
      );
    }
    if (new Set(results).size < results.length || results.some((id) => !calls.includes(id))) {
      const rule = 'The number of toolResult blocks exceeds the number of toolUse blocks of previous turn.';
      throw invalidBedrock(`messages.${at}.content: ${rule}`);
    }
    calls = content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
    if (new Set(calls).size < calls.length) throw invalidBedrock(`messages.${at}.content: duplicate toolUse Ids`);
  }
  if (calls.length > 0) throw invalidBedrock(`Expected toolResult blocks for the following Ids: ${calls.join(', ')}`);
}

function checkToolConfig(messages: readonly ConverseMessage[], config: ConverseRequest['toolConfig']): void {
  const usesTools = messages.some(({ content }) => content.some(({ toolUse, toolResult }) => toolUse ?? toolResult));
  if (usesTools && !config) {
    throw invalidBedrock('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
  const names = (config?.tools ?? []).flatMap(({ toolSpec }) => toolSpec?.name ?? []);
  if (new Set(names).size < names.length) throw invalidBedrock('The tools list contains duplicate names.');
  const forced = config?.toolChoice?.tool?.name;
  if (forced !== undefined && !names.includes(forced)) {
    throw invalidBedrock(`The tool ${forced} of the toolChoice is not in the tools list.`);
  }
}

/** Only Claude and Nova have prompt caches. */
function checkCachePoints(blocks: readonly { cachePoint?: unknown }[], model: string): void {
  const count = blocks.filter(({ cachePoint }) => cachePoint !== undefined).length;
  if (count > MAX_CACHE_POINTS) throw invalidBedrock(`A maximum of ${MAX_CACHE_POINTS} cache points; found ${count}.`);
  if (count > 0 && !/claude|nova/.test(model)) {
    throw invalidBedrock('You invoked an unsupported model or your request did not allow prompt caching.');
  }
}
