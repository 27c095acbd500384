import type { ContentBlock, Message, TextBlock, MediaBlock, ToolResultBlock } from '@sluice/canonical';
import { JsonField } from '../../json/json-field.ts';
import type { TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { type CallHistory, createCallHistory } from './call-history.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { decodeContent, decodeTexts } from './decode-content.ts';

/**
 * Decodes the conversation. Tool results become blocks of `user` messages. Consecutive results share one message.
 * @throws GatewayError `invalid_request` with the field's path (e.g. `messages[0][content][1][image_url]`)
 */
export function decodeMessages(items: readonly unknown[], tokenCodec: TokenCodec): Message[] {
  const calls = createCallHistory();
  const messages: Message[] = [];
  let results: ContentBlock[] | undefined;
  for (const message of new JsonField(items, 'messages').items()) {
    const role = message.get('role').value;
    if (role === 'tool' || role === 'function') {
      const result = decodeResult(message, calls);
      if (results) results.push(result);
      else messages.push({ role: 'user', content: (results = [result]) });
      continue;
    }
    results = undefined;
    messages.push({ ...decodeMessage(message, calls, tokenCodec), name: message.get('name').nonEmptyString });
  }
  return messages;
}

function decodeMessage(message: JsonField, calls: CallHistory, tokenCodec: TokenCodec): Message {
  const role = message.get('role');
  const content = message.get('content');
  switch (role.value) {
    case 'system':
    case 'developer':
      return { role: role.value, content: decodeTexts(content) };
    case 'user':
      return { role: 'user', content: decodeContent(content) };
    case 'assistant': {
      const blocks = decodeAssistant(message, tokenCodec);
      for (const block of blocks) if (block.type === 'tool-call') calls.add(block);
      return { role: 'assistant', content: blocks };
    }
    default:
      throw role.invalid('must be developer, system, user, assistant, tool, or function');
  }
}

function decodeResult(message: JsonField, calls: CallHistory): ToolResultBlock {
  const clientName = message.get('name').nonEmptyString;
  const name = clientName === undefined ? undefined : flatToolName(clientName);
  const id = message.get('tool_call_id').nonEmptyString;
  const call = id === undefined ? calls.takeOldest(name) : calls.find(id);
  const callId = id ?? call?.callId;
  if (callId === undefined) {
    const field = message.get('role').value === 'function' ? 'name' : 'tool_call_id';
    throw message.get(field).invalid('must name a tool call of an earlier message');
  }
  calls.markResolved(callId);
  const content = message.get('content');
  return {
    type: 'tool-result',
    callId,
    name: call?.name ?? name,
    kind: call?.kind ?? 'function',
    content: decodeContent(content).map((block, index): TextBlock | MediaBlock => {
      if (block.type === 'text' || block.type === 'media') return block;
      throw content.items()[index]?.invalid('must be a text part or a media part') ?? content.invalid('must be text');
    }),
  };
}
