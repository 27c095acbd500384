import type { ContentBlock, Message, TextBlock, MediaBlock, ToolResultBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { createCallBook, type CallBook } from './call-book.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { decodeContent, decodeTexts } from './decode-content.ts';
import { invalidField, requireObject } from '../wire/invalid-field.ts';
import { textOf, type JsonObject } from '../wire/json.ts';

/**
 * Reads the conversation. Results of tools become blocks of `user` turns, those that follow each other in one turn.
 * @throws GatewayError `invalid_request` naming the field, as `messages[0][content][1][image_url]`
 */
export function decodeMessages(items: readonly unknown[], tokenCodec: TokenCodec): Message[] {
  const calls = createCallBook();
  const messages: Message[] = [];
  let results: ContentBlock[] | undefined;
  for (const [index, item] of items.entries()) {
    const path = `messages[${index}]`;
    const message = requireObject(item, path);
    const role = message['role'];
    if (role === 'tool' || role === 'function') {
      const result = decodeResult(message, path, calls);
      if (results) results.push(result);
      else messages.push({ role: 'user', content: (results = [result]) });
      continue;
    }
    results = undefined;
    const name = textOf(message['name']);
    messages.push({ ...decodeTurn(message, path, calls, tokenCodec), ...(name !== undefined && { name }) });
  }
  return messages;
}

function decodeTurn(message: JsonObject, path: string, calls: CallBook, tokenCodec: TokenCodec): Message {
  const content = message['content'];
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: message['role'], content: decodeTexts(content, `${path}[content]`) };
    case 'user':
      return { role: 'user', content: decodeContent(content, `${path}[content]`) };
    case 'assistant': {
      const blocks = decodeAssistant(message, path, tokenCodec);
      for (const block of blocks) if (block.type === 'tool-call') calls.add(block);
      return { role: 'assistant', content: blocks };
    }
    default:
      throw invalidField(`${path}[role]`, 'must be one of developer, system, user, assistant, tool, function');
  }
}

function decodeResult(message: JsonObject, path: string, calls: CallBook): ToolResultBlock {
  const given = textOf(message['name']);
  const name = given === undefined ? undefined : flatToolName(given);
  const id = textOf(message['tool_call_id']);
  const call = id === undefined ? calls.takeOldest(name) : calls.find(id);
  const callId = id ?? call?.callId;
  if (callId === undefined) {
    const field = message['role'] === 'function' ? 'name' : 'tool_call_id';
    throw invalidField(`${path}[${field}]`, 'must name a call of an earlier message');
  }
  calls.response(callId);
  const toolName = call?.name ?? name;
  return {
    type: 'tool-result',
    callId,
    ...(toolName !== undefined && { name: toolName }),
    kind: call?.kind ?? 'function',
    content: decodeContent(message['content'], `${path}[content]`).map((block, index): TextBlock | MediaBlock => {
      if (block.type === 'text' || block.type === 'media') return block;
      throw invalidField(`${path}[content][${index}]`, 'must be a text part or a picture');
    }),
  };
}
