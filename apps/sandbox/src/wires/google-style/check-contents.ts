import type { SecretStore } from '../../text/secret-store.ts';
import { invalidArgument } from './google-error.ts';
import type { GenerativeContent, GenerativePart } from './generative-request.ts';

/** Encryption purpose of thought signatures; the model name follows. */
export const THOUGHT = 'generative thought ';

/** Signatures that mean "none available". */
const SENTINELS = new Set(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']);

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const;

const calls = ({ parts = [] }: GenerativeContent) => parts.filter(({ functionCall }) => functionCall !== undefined);
const results = ({ parts = [] }: GenerativeContent) =>
  parts.filter(({ functionResponse }) => functionResponse !== undefined);

function checkPart(part: GenerativePart, path: string): void {
  const kinds = DATA.filter((kind) => kind in part);
  if (kinds.length > 1) {
    throw invalidArgument(
      `Invalid value at '${path}' (oneof), oneof field 'data' is already set. Cannot set '${kinds[1]}'`,
      path,
    );
  }
  if (kinds.length === 0 && part.thoughtSignature === undefined) {
    throw invalidArgument(
      `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field\n`,
    );
  }
  if (part.functionCall?.name === '' || (part.functionCall !== undefined && part.functionCall.name === undefined)) {
    throw invalidArgument(`* GenerateContentRequest.${path}.function_call.name: Name cannot be empty.\n`);
  }
  if (part.functionResponse !== undefined && !part.functionResponse.name) {
    throw invalidArgument(`* GenerateContentRequest.${path}.function_response.name: Name cannot be empty.\n`);
  }
  if (part.inlineData !== undefined && !part.inlineData.mimeType) {
    throw invalidArgument(`* GenerateContentRequest.${path}.inline_data.mime_type: must not be empty.\n`);
  }
}

/** Neighboring contents of one role are one turn: a chat stores each stream chunk as a content of its own. */
function mergeNeighbors(contents: readonly GenerativeContent[]): GenerativeContent[] {
  const turns: GenerativeContent[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    const same = last !== undefined && (last.role === 'model') === (content.role === 'model');
    if (same) turns[turns.length - 1] = { ...last, parts: [...(last.parts ?? []), ...(content.parts ?? [])] };
    else turns.push(content);
  }
  return turns;
}

function checkTurns(contents: readonly GenerativeContent[]): void {
  for (const [at, content] of contents.entries()) {
    const before = contents[at - 1];
    const expected = before === undefined ? 0 : calls(before).length;
    const given = results(content).length;
    if (given > 0 && expected === 0) {
      throw invalidArgument('Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (given !== expected && expected > 0) {
      throw invalidArgument(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
    if (calls(content).length > 0 && before === undefined) {
      throw invalidArgument(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
  }
  const last = contents.at(-1);
  if (last !== undefined && calls(last).length > 0) {
    throw invalidArgument(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
}

/** Signatures must come from this model; the newest models require one per step of the current turn. */
function checkSignatures(contents: readonly GenerativeContent[], model: string, secretStore: SecretStore): void {
  for (const { parts = [] } of contents) {
    for (const { thoughtSignature: signature } of parts) {
      if (signature === undefined || SENTINELS.has(signature)) continue;
      if (secretStore.decrypt(`${THOUGHT}${model}`, signature) === undefined)
        throw invalidArgument('Thought signature is not valid.');
    }
  }
  if (!/gemini-3|strict/.test(model)) return;
  const start = contents.findLastIndex((content) => content.role !== 'model' && results(content).length === 0);
  for (const [at, content] of mergeNeighbors(contents.slice(start + 1)).entries()) {
    const first = content.role === 'model' ? calls(content)[0] : undefined;
    if (first === undefined || first.thoughtSignature !== undefined) continue;
    const call = `function call \`default_api:${first.functionCall?.name}\` , position ${start + at + 2}`;
    throw invalidArgument(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, ${call}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  }
}

/** "The maximum total request size is 20 MB" (ai.google.dev, of data inside requests). */
const MAX_BYTES = 20 * 1024 ** 2;

function checkSize(contents: readonly GenerativeContent[]): void {
  const data = contents.flatMap(({ parts = [] }) => parts.map(({ inlineData }) => inlineData?.data ?? ''));
  const bytes = data.reduce((sum, { length }) => sum + Math.floor((length * 3) / 4), 0);
  if (bytes > MAX_BYTES) throw invalidArgument(`Request payload size exceeds the limit: ${MAX_BYTES} bytes.`);
}

export function checkContents(
  contents: readonly GenerativeContent[] | undefined,
  model: string,
  secretStore: SecretStore,
): void {
  if (contents === undefined || contents.length === 0) {
    throw invalidArgument('* GenerateContentRequest.contents: contents is not specified\n');
  }
  for (const [at, { role = 'user', parts = [] }] of contents.entries()) {
    if (!['user', 'model', 'function', ''].includes(role))
      throw invalidArgument('Please use a valid role: user, model.');
    if (parts.length === 0) {
      throw invalidArgument(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`);
    }
    for (const [index, part] of parts.entries()) {
      checkPart(part, `contents[${at}].parts[${index}]`);
      const wrong = role === 'model' ? part.functionResponse : part.functionCall;
      if (wrong !== undefined) {
        throw invalidArgument(
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        );
      }
    }
  }
  checkSize(contents);
  checkTurns(mergeNeighbors(contents));
  checkSignatures(contents, model, secretStore);
}
