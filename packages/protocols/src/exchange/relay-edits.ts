/**
 * All edits to a relayed exchange. All other bytes are relayed unchanged:
 *
 * - The model's name is replaced in both directions. Messages for an upstream with the quirk `version_in_body`: the
 * version replaces the model.
 * - Chat completions: `stream_options.include_usage` is set for metering. The usage chunk is withheld if the client did
 * not request it.
 * - Responses API: usage is reported under both the Responses and the Chat Completions field names.
 * - Opaque tokens that the gateway encoded are replaced with the vendor's tokens ({@link restoreTokens}).
 * - Quirks that the operator configured for the upstream or the route are applied.
 */
import type { TextProtocolName, TextQuirks, TextTarget, LossReport } from '@sluice/canonical';
import { TOKEN_PREFIX, type TokenCodec } from '../text/token-codec.ts';
import { asBinaryText, isAscii } from './binary-text.ts';
import { type JsonMember, jsonMembers } from './json-members.ts';
import { restoreTokens } from './restore-tokens.ts';
import type { TextRequest } from './text-request.ts';
import { mayHaveLongIntegers, parseExactIntegers } from '../json/exact-integers.ts';
import { unsupportedThread } from '../text/unsupported-thread.ts';
import { isRecord } from '../json/is-record.ts';
import { expectObject } from '../json/parse-json.ts';
import { type JsonObject, objectOrEmpty, parseObject } from '../json/values.ts';

const MODEL_MEMBER: Readonly<Record<TextProtocolName, string>> = {
  'chat-completions': 'model',
  responses: 'model',
  messages: 'model',
  'generative-content': 'modelVersion',
};

export interface RelayRules {
  target: TextTarget;
  tokenCodec: TokenCodec;
  report: LossReport;
}

/**
 * Returns the bytes for the upstream in one or more arrays. Large parts are not copied.
 * @throws GatewayError `thread_unsupported_request`
 */
export function relayedRequest(request: TextRequest, rules: RelayRules): Uint8Array | readonly Uint8Array[] {
  // An upstream that ignores the field would continue without the earlier turns.
  if (sendsThread(request) && rules.target.quirks.threads !== true) throw unsupportedThread();
  const edited = rebuiltBody(request, rules);
  if (edited) return Buffer.from(JSON.stringify(edited));
  const edits: Edit[] = [];
  const model = request.members.get('model');
  if (model && request.protocol.name !== 'generative-content') {
    const version = versionMember(rules.target);
    const text = JSON.stringify(rules.target.model);
    const isSame = request.skeleton.text.slice(model.start, model.end) === text && isAscii(text);
    if (version)
      edits.push({ start: keyStart(request, model), end: model.end, text: JSON.stringify(version).slice(1, -1) });
    else if (!isSame) edits.push({ ...model, text });
  }
  if (needsUsageOption(request, rules.target)) edits.push(usageOption(request));
  if (edits.length === 0) return request.bytes;
  const chunks = cutChunks(request, edits);
  return request.bytes.length <= MAX_COPIED_BYTES ? Buffer.concat(chunks) : chunks;
}

/** The member that replaces the model, for upstreams that receive the model in the path. */
function versionMember({ protocol, quirks }: TextTarget): Record<string, string> | undefined {
  const { version_in_body: version } = quirks;
  return protocol === 'messages' && version !== undefined ? { [VERSION]: version } : undefined;
}

const VERSION = 'anthropic_version';

/** Only blanks and a colon are between the closing quote of a key and its value. */
function keyStart({ skeleton: { text } }: TextRequest, { start }: JsonMember): number {
  return text.lastIndexOf('"', text.lastIndexOf('"', start - 1) - 1);
}

function sendsThread(request: TextRequest): boolean {
  return request.protocol.name === 'messages' && request.members.has('thread') && isRecord(request.member('thread'));
}

/** Longer bodies are sent as several arrays to avoid a copy. */
const MAX_COPIED_BYTES = 64 * 1024;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** @param edits edits with positions in the skeleton */
function cutChunks({ bytes, skeleton }: TextRequest, edits: Edit[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    chunks.push(bytes.subarray(at, skeleton.byteAt(start)), Buffer.from(text));
    at = skeleton.byteAt(end);
  }
  chunks.push(bytes.subarray(at));
  return chunks;
}

function needsUsageOption({ protocol, stream }: TextRequest, { quirks }: TextTarget): boolean {
  return protocol.name === 'chat-completions' && stream && quirks.stream_usage !== false;
}

export function requestsUsage(request: TextRequest): boolean {
  const options = request.member('stream_options');
  return isRecord(options) && options['include_usage'] === true;
}

function usageOption(request: TextRequest): Edit {
  const member = request.members.get('stream_options');
  const options = request.member('stream_options');
  const text = JSON.stringify({ ...(isRecord(options) && options), include_usage: true });
  if (member) return { ...member, text };
  // The object is not empty, because it has at least a model.
  const end = request.skeleton.text.lastIndexOf('}');
  return { start: end, end, text: `,"stream_options":${text}` };
}

/** Parses the body so that it can be serialized again with all digits of large integers (e.g. `seed`). */
export function exactBody(request: TextRequest): JsonObject {
  if (!mayHaveLongIntegers(request.skeleton.text)) return request.body();
  return expectObject(parseExactIntegers(Buffer.from(request.bytes).toString('utf8')));
}

/** Rebuilds the body if nested values change. @returns undefined if there are no nested changes */
function rebuiltBody(
  request: TextRequest,
  { target, tokenCodec, report }: RelayRules,
): Record<string, unknown> | undefined {
  const configured = quirkEdits(request, target.quirks);
  const hasOpaqueTokens = request.mentionsBeginning(TOKEN_PREFIX);
  const version = versionMember(target);
  const repeatsVersion = version !== undefined && request.members.has(VERSION);
  if (configured.length === 0 && !hasOpaqueTokens && !repeatsVersion) return undefined;
  const sent = exactBody(request);
  const body = { ...(hasOpaqueTokens ? restoreTokens(sent, target, tokenCodec, report) : sent) };
  for (const { field, rename } of configured) {
    if (rename !== undefined) body[rename] = body[field];
    else report({ field, how: 'dropped' });
    delete body[field];
  }
  if (version) {
    delete body['model'];
    Object.assign(body, version);
  } else if (target.protocol !== 'generative-content') body['model'] = target.model;
  if (needsUsageOption(request, target)) {
    const options = body['stream_options'];
    body['stream_options'] = { ...(isRecord(options) && options), include_usage: true };
  }
  return body;
}

const SAMPLING = ['temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty'];

function quirkEdits(request: TextRequest, quirks: TextQuirks): { field: string; rename?: string }[] {
  const removed: { field: string; rename?: string }[] = [];
  const drop = (field: string) => request.members.has(field) && removed.push({ field });
  if (quirks.sampling === false) SAMPLING.forEach(drop);
  if (request.protocol.name !== 'chat-completions') return removed;
  if (quirks.reasoning_effort === false) drop('reasoning_effort');
  if (quirks.stream_usage === false) drop('stream_options');
  const rename = quirks.max_tokens_field;
  const field = rename === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (rename !== undefined && request.members.has(field)) removed.push({ field, rename });
  return removed;
}

/** Edits an object, which is a response or an object inside an event. @param members the members of `text` */
export function editObject(
  protocol: TextProtocolName,
  text: string,
  clientModel: string,
  members: ReadonlyMap<string, JsonMember> | undefined = jsonMembers(text),
): string {
  if (!members) return text;
  const edits: Edit[] = [];
  const model = members.get(MODEL_MEMBER[protocol]);
  if (model) edits.push({ ...model, text: asBinaryText(JSON.stringify(clientModel)) });
  const usage = protocol === 'responses' ? members.get('usage') : undefined;
  if (usage && text[usage.start] === '{') {
    edits.push({ ...usage, text: withBothUsageNames(text.slice(usage.start, usage.end)) });
  }
  let edited = text;
  for (const { start, end, text: next } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + next + edited.slice(end);
  }
  return edited;
}

/** The specification defines `input_tokens`, but clients of this gateway also read `prompt_tokens`. */
function withBothUsageNames(text: string): string {
  const usage = parseObject(text);
  if (!usage || 'prompt_tokens' in usage || typeof usage['input_tokens'] !== 'number') return text;
  const { cached_tokens: cached } = objectOrEmpty(usage['input_tokens_details']);
  const { reasoning_tokens: reasoning } = objectOrEmpty(usage['output_tokens_details']);
  const added = {
    prompt_tokens: usage['input_tokens'],
    completion_tokens: usage['output_tokens'],
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
  };
  return `${text.slice(0, text.lastIndexOf('}'))},${JSON.stringify(added).slice(1)}`;
}
