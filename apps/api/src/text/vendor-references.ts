import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import type { TextRequest } from '@sluice/protocols';

/** Top-level members that name something at a vendor. */
const MEMBERS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': [],
  responses: ['conversation', 'prompt'],
  messages: ['container', 'thread'],
  'generative-content': ['cachedContent', 'cached_content', 'continuationToken'],
};

/** Members of parts that do; looked for as text first, so that most requests are not searched. */
const PARTS = ['file_id', 'fileUri', 'file_uri', 'container_id', 'vector_store_ids', 'connector_id'];

/** Where parts are; tool schemas may well have properties of these names. */
const CONVERSATION = ['messages', 'input', 'contents', 'system', 'systemInstruction', 'system_instruction'];

/**
 * Refuses what lies at a vendor and was not made through this key: files, caches, conversations. The account there is
 * shared by all keys, so one could read what is another's.
 * @throws GatewayError `unsupported_parameter`
 */
export function refuseVendorReferences(request: TextRequest): void {
  for (const name of MEMBERS[request.protocol.name]) {
    const value = request.members.has(name) ? request.member(name) : undefined;
    if (value !== undefined && value !== null) throw refusal(name);
  }
  if (!PARTS.some((part) => request.mentions(part))) return;
  const body = request.body();
  for (const name of [...CONVERSATION, 'tools']) refuseWithin(body[name], name, name === 'tools');
}

/** @param isTool a tool's schema is the client's own: only its top level is looked at */
function refuseWithin(value: unknown, at: string, isTool: boolean): void {
  const open: { value: unknown; at: string; depth: number }[] = [{ value, at, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null || (isTool && next.depth > 2)) continue;
    for (const [key, inner] of Object.entries(next.value)) {
      const path = `${next.at}[${key}]`;
      if (PARTS.includes(key) && isVendorName(key, inner)) throw refusal(path);
      // What a tool was asked or has said is data.
      if (key === 'arguments' || key === 'args' || key === 'response') continue;
      open.push({ value: inner, at: path, depth: next.depth + 1 });
    }
  }
}

/** A file's address in the web is nobody's; one at Google's file store is the account's. */
function isVendorName(key: string, value: unknown): boolean {
  if (key !== 'fileUri' && key !== 'file_uri') return value !== undefined && value !== null;
  return typeof value === 'string' && /^(?:files\/|gs:|https:\/\/generativelanguage\.googleapis\.com\/)/i.test(value);
}

function refusal(param: string): GatewayError {
  return new GatewayError(
    'unsupported_parameter',
    `${param} names something that lies at a vendor. Send the content itself, or have vendor_references allowed for this key.`,
    { param },
  );
}
