import type { TextProtocolName, Usage } from '@sluice/canonical';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import type { ResponseProgress } from './response-writer.ts';
import { type JsonMember, jsonMembers } from './json-members.ts';

/** Where each protocol reports usage: in a field of the object itself or of its `inner` object. */
const USAGE_MEMBERS: Readonly<Record<TextProtocolName, { inner?: string; field: string }>> = {
  'chat-completions': { field: 'usage' },
  responses: { inner: 'response', field: 'usage' },
  messages: { inner: 'message', field: 'usage' },
  'generative-content': { field: 'usageMetadata' },
};

/**
 * @param data JSON with one character per byte
 * @param members the members of `data`, if the caller knows them
 * @returns whether the frame has usage but no choices, as the last chunk of a chat stream
 */
export function recordUsage(
  protocol: TextProtocol,
  data: string,
  progress: Pick<ResponseProgress, 'usage'>,
  members: ReadonlyMap<string, JsonMember> | undefined = jsonMembers(data),
): boolean {
  const { inner, field } = USAGE_MEMBERS[protocol.name];
  const innerObject = inner === undefined ? undefined : members?.get(inner);
  const holder = innerObject ? jsonMembers(data, innerObject.start) : members;
  const member = holder?.get(field) ?? members?.get(field);
  if (!member || data[member.start] !== '{') return false;
  const sibling = (name: string): unknown => valueOf(data, holder?.get(name) ?? members?.get(name));
  const usage = readUsage(() => protocol.decodeUsage(valueOf(data, member), progress.usage, sibling));
  if (usage) progress.usage = usage;
  const choices = members?.get('choices');
  return choices !== undefined && /^\[\s*\]$/.test(data.slice(choices.start, choices.end));
}

/** @throws SyntaxError if the value is not JSON */
function valueOf(data: string, member: JsonMember | undefined): unknown {
  return member && JSON.parse(data.slice(member.start, member.end));
}

function readUsage(decode: () => Usage | undefined): Usage | undefined {
  try {
    return decode();
  } catch {
    return undefined; // Invalid usage is relayed unchanged and not metered.
  }
}
