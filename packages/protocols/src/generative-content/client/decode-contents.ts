import type { ContentBlock, LossReport, Message } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { isRecord } from '../../json/is-record.ts';
import { JsonField } from '../../json/json-field.ts';
import { appendBlock } from './append-block.ts';
import { createCallIds } from './call-ids.ts';
import { decodePart } from './decode-part.ts';
import { filledRecord, recordFields, records } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString, ownMember } from '../../json/values.ts';

/** A `content` object without a role belongs to the user. `function` is an old name for `user`. */
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
 * Merges consecutive elements of `contents` with the same role into one message. Function responses become user
 * messages and calls become assistant messages, regardless of the role that the client sent.
 * @throws GatewayError `invalid_request` with the field's name
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

  for (const content of new JsonField(contents, 'contents').items()) {
    const { role, parts } = readContent(content);
    let isEmpty = true;
    for (const part of parts) {
      for (const block of decodePart(part, { tokenCodec, calls, report })) {
        add(roleOf(block, role), block);
        isEmpty = false;
      }
    }
    // Keeps an empty user turn.
    if (isEmpty && role === 'user' && parts.length > 0) add(role, { type: 'text', text: '' });
  }
  return messages;
}

/** Decodes `systemInstruction`, which is a `content` object or plain text. @returns at most one message */
export function decodeInstruction(instruction: unknown, report: LossReport): Message[] {
  const parts = typeof instruction === 'string' ? [{ text: instruction }] : instructionParts(instruction);
  const content: ContentBlock[] = [];
  for (const part of parts) {
    const text = asNonEmptyString(part['text']);
    if (text !== undefined) content.push({ type: 'text', text });
    else if (filledRecord(part) && part['text'] === undefined) {
      for (const key of Object.keys(part)) report({ field: `systemInstruction.parts.${key}`, how: 'dropped' });
    }
  }
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function instructionParts(instruction: unknown): JsonObject[] {
  if (isRecord(instruction) && instruction['parts'] === undefined) return records(instruction);
  return records(isRecord(instruction) ? instruction['parts'] : instruction);
}

function readContent(content: JsonField): { role: Message['role']; parts: JsonField[] } {
  if (!isRecord(content.value)) throw content.invalid('must be an object');
  const role = ownMember(ROLES, content.get('role').nonEmptyString ?? 'user');
  if (!role) throw content.get('role').invalid('must be user or model');
  const parts = content.get('parts');
  if (parts.value === undefined) return { role, parts: [] };
  if (!Array.isArray(parts.value) && !isRecord(parts.value)) throw parts.invalid('must be an array');
  const invalid = Array.isArray(parts.value) ? parts.items().find(({ value }) => !isRecord(value)) : undefined;
  if (invalid) throw invalid.invalid('must be an object');
  return { role, parts: recordFields(parts) };
}

function roleOf(block: ContentBlock, role: Message['role']): Message['role'] {
  if (block.type === 'tool-result') return 'user';
  return block.type === 'tool-call' ? 'assistant' : role;
}
