/**
 * All changes to a relayed exchange. If client and upstream use the same protocol, all other bytes pass unchanged:
 *
 * - the model's name, in both directions;
 * - `stream_options.include_usage` is set for metering, and the extra chunk is withheld unless the client requested it
 *   (chat completions);
 * - usage is reported in both vocabularies (responses);
 * - opaque tokens that the gateway encoded become the vendor's again ({@link restoreTokens});
 * - in responses, references to stored data (`previous_response_id`, items, compactions) have been resolved by the API;
 * - quirks that the operator configured for the upstream or the route.
 *
 * Texts have one character for each byte, so that offsets hold and cutting is safe.
 */
import type { TextProtocolName, TextQuirks, TextTarget, LossReport } from '@sluice/canonical';
import { TOKEN_PREFIX, type TokenCodec } from '../text/token-codec.ts';
import { asBinaryText } from './binary-text.ts';
import { jsonMembers } from './json-members.ts';
import { restoreTokens } from './restore-tokens.ts';
import type { TextRequest } from './text-request.ts';
import { isRecord } from '../json/is-record.ts';

/** The member that holds the model's name in a response. */
const MODEL_FIELD: Readonly<Record<TextProtocolName, string>> = {
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
 * A request's bytes for an upstream of the same protocol, in one array or in several; the large ones are the client's
 * own.
 */
export function relayedRequest(request: TextRequest, rules: RelayRules): Uint8Array | readonly Uint8Array[] {
  const edited = rebuiltBody(request, rules);
  if (edited) return Buffer.from(JSON.stringify(edited));
  const edits: Edit[] = [];
  const model = request.members.get('model');
  if (model && request.protocol.name !== 'generative-content') {
    edits.push({ ...model, text: JSON.stringify(rules.target.model) });
  }
  if (requestsUsage(request, rules.target)) edits.push(usageSwitch(request));
  if (edits.length === 0) return request.bytes;
  const chunks = cutChunks(request, edits);
  return request.bytes.length <= COPIED_BYTES ? Buffer.concat(chunks) : chunks;
}

/** Bodies up to this length are copied into one array; longer ones are sent as several. */
const COPIED_BYTES = 64 * 1024;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Replaces parts of a body; edits use positions in its skeleton and do not overlap. */
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

function requestsUsage({ protocol, stream }: TextRequest, { quirks }: TextTarget): boolean {
  return protocol.name === 'chat-completions' && stream && quirks.stream_usage !== false;
}

/** Whether the client requested the chunk with the usage of a chat stream. */
export function wantsUsage(request: TextRequest): boolean {
  const options = request.member('stream_options');
  return isRecord(options) && options['include_usage'] === true;
}

function usageSwitch(request: TextRequest): Edit {
  const there = request.members.get('stream_options');
  const options = request.member('stream_options');
  const text = JSON.stringify({ ...(isRecord(options) && options), include_usage: true });
  if (there) return { ...there, text };
  // Not empty: a request has a model.
  const end = request.skeleton.text.lastIndexOf('}');
  return { start: end, end, text: `,"stream_options":${text}` };
}

/** The parsed body, for edits inside values. Undefined if there are none. */
function rebuiltBody(
  request: TextRequest,
  { target, tokenCodec, report }: RelayRules,
): Record<string, unknown> | undefined {
  const unfit = configuredEdits(request, target.quirks);
  const hasOpaqueTokens = request.mentionsBeginning(TOKEN_PREFIX);
  if (unfit.length === 0 && !hasOpaqueTokens) return undefined;
  const body = { ...(hasOpaqueTokens ? restoreTokens(request.body(), target, tokenCodec, report) : request.body()) };
  for (const { field, rename } of unfit) {
    if (rename !== undefined) body[rename] = body[field];
    else report({ field, how: 'dropped' });
    delete body[field];
  }
  if (target.protocol !== 'generative-content') body['model'] = target.model;
  if (requestsUsage(request, target)) {
    const options = body['stream_options'];
    body['stream_options'] = { ...(isRecord(options) && options), include_usage: true };
  }
  return body;
}

const SAMPLING = ['temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty'];

/** Members that the operator's quirks remove or rename. */
function configuredEdits(request: TextRequest, quirks: TextQuirks): { field: string; rename?: string }[] {
  const gone: { field: string; rename?: string }[] = [];
  const drop = (field: string) => request.members.has(field) && gone.push({ field });
  if (quirks.sampling === false) SAMPLING.forEach(drop);
  if (request.protocol.name !== 'chat-completions') return gone;
  if (quirks.reasoning_effort === false) drop('reasoning_effort');
  if (quirks.stream_usage === false) drop('stream_options');
  const rename = quirks.max_tokens_field;
  const field = rename === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (rename !== undefined && request.members.has(field)) gone.push({ field, rename });
  return gone;
}

/** A complete response with the client's name of the model and, for responses, both families of usage fields. */
export function relayedResponse(protocol: TextProtocolName, text: string, clientModel: string): string {
  return editObject(protocol, text, 0, clientModel);
}

/**
 * Edits the object that begins at `from`: a response, or one inside an event. Returns an unknown or already correct
 * text
 * unchanged.
 */
export function editObject(protocol: TextProtocolName, text: string, from: number, clientModel: string): string {
  const members = jsonMembers(text, from);
  if (!members) return text;
  const edits: Edit[] = [];
  const model = members.get(MODEL_FIELD[protocol]);
  if (model) edits.push({ ...model, text: asBinaryText(JSON.stringify(clientModel)) });
  const usage = protocol === 'responses' ? members.get('usage') : undefined;
  if (usage && text[usage.start] === '{') {
    edits.push({ ...usage, text: withUsageTwins(text.slice(usage.start, usage.end)) });
  }
  let edited = text;
  for (const { start, end, text: next } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + next + edited.slice(end);
  }
  return edited;
}

/**
 * Adds `prompt_tokens` and its family to `input_tokens`: the specification defines one, and published clients read the
 * other.
 */
function withUsageTwins(text: string): string {
  let usage: unknown;
  try {
    usage = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isRecord(usage) || 'prompt_tokens' in usage || typeof usage['input_tokens'] !== 'number') return text;
  const cached = isRecord(usage['input_tokens_details']) ? usage['input_tokens_details']['cached_tokens'] : undefined;
  const thought = isRecord(usage['output_tokens_details'])
    ? usage['output_tokens_details']['reasoning_tokens']
    : undefined;
  const twins = {
    prompt_tokens: usage['input_tokens'],
    completion_tokens: usage['output_tokens'],
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: thought } }),
  };
  return `${text.slice(0, text.lastIndexOf('}'))},${JSON.stringify(twins).slice(1)}`;
}
