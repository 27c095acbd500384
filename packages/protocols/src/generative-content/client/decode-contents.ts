import type { ContentBlock, LossReport, Message } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import { appendBlock } from './append-block.ts';
import { createCallIds } from './call-ids.ts';
import { decodePart } from './decode-part.ts';
import { filledRecord, records } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/** A content without a role is the user's; `function` is an old name of `user`. */
const ROLES: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  function: 'user',
  tool: 'user',
  model: 'assistant',
  system: 'system',
};

export interface ContentsContext {
  tokenCodec: TokenCodec;
  report: LossReport;
}

/**
 * Consecutive contents of one role become one message. Function responses go to user messages and calls to assistant
 * messages, whatever role the client sent.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeContents(contents: readonly unknown[], { tokenCodec, report }: ContentsContext): Message[] {
  const calls = createCallIds();
  const messages: Message[] = [];

  function add(role: Message['role'], block: ContentBlock): void {
    const last = messages.at(-1);
    const message: Message = last?.role === role ? last : { role, content: [] };
    if (message !== last) messages.push(message);
    if (role === 'assistant') appendBlock(message.content, block);
    else message.content.push(block);
  }

  for (const [index, content] of contents.entries()) {
    const param = `contents[${index}]`;
    const { role, parts } = readContent(content, param);
    let isEmpty = true;
    for (const [position, part] of parts.entries()) {
      for (const block of decodePart(part, { param: `${param}[parts][${position}]`, tokenCodec, calls, report })) {
        add(roleOf(block, role), block);
        isEmpty = false;
      }
    }
    // An empty user turn still counts.
    if (isEmpty && role === 'user' && parts.length > 0) add(role, { type: 'text', text: '' });
  }
  return messages;
}

/** `systemInstruction` is a content or plain text. @returns no message or one */
export function decodeInstruction(instruction: unknown, report: LossReport): Message[] {
  const parts = typeof instruction === 'string' ? [{ text: instruction }] : instructionParts(instruction);
  const content: ContentBlock[] = [];
  for (const part of parts) {
    const text = asNonEmptyString(part['text']);
    if (text !== undefined) content.push({ type: 'text', text });
    else if (filledRecord(part) && part['text'] === undefined) {
      report({ field: `systemInstruction.parts.${Object.keys(part)[0]}`, how: 'dropped' });
    }
  }
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function instructionParts(instruction: unknown): JsonObject[] {
  if (isRecord(instruction) && instruction['parts'] === undefined) return records(instruction);
  return records(isRecord(instruction) ? instruction['parts'] : instruction);
}

function readContent(content: unknown, param: string): { role: Message['role']; parts: JsonObject[] } {
  if (!isRecord(content)) throw invalidField(param, 'must be an object');
  const role = ROLES[asNonEmptyString(content['role']) ?? 'user'];
  if (!role) throw invalidField(`${param}[role]`, 'must be user or model');
  const { parts = [] } = content;
  const invalid = Array.isArray(parts) ? parts.findIndex((part) => !isRecord(part)) : -1;
  if (invalid !== -1) throw invalidField(`${param}[parts][${invalid}]`, 'must be an object');
  if (!Array.isArray(parts) && !isRecord(parts)) throw invalidField(`${param}[parts]`, 'must be an array');
  return { role, parts: records(parts) };
}

function roleOf(block: ContentBlock, role: Message['role']): Message['role'] {
  if (block.type === 'tool-result') return 'user';
  return block.type === 'tool-call' ? 'assistant' : role;
}
