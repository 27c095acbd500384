import type { TextProtocolName } from '@sluice/canonical';
import { type JsonMember, jsonMembers } from './json-members.ts';

/** Removes secrets from text. */
export type Scrub = (text: string) => string;

/**
 * Scrubs only the error in a relayed response or frame, because vendors quote keys, hosts, and account ids in errors.
 * @param members the members of `json`, if the caller knows them
 */
export function scrubError(
  protocol: TextProtocolName,
  json: string,
  scrub: Scrub,
  members: ReadonlyMap<string, JsonMember> | undefined = jsonMembers(json),
): string {
  const error = members?.get('error');
  const response = protocol === 'responses' ? members?.get('response') : undefined;
  if (response && !error) {
    const inner = json.slice(response.start, response.end);
    return json.slice(0, response.start) + scrubError('chat-completions', inner, scrub) + json.slice(response.end);
  }
  // In the responses protocol, an `error` event is itself the error.
  if (!error) return /^\s*\{\s*"type"\s*:\s*"error"/.test(json) ? scrub(json) : json;
  return json.slice(0, error.start) + scrub(json.slice(error.start, error.end)) + json.slice(error.end);
}
