import type { SecretStore } from '../../text/secret-store.ts';
import { names } from '../../schema/names.ts';
import { invalidArgument, invalidMessage } from './google-error.ts';
import type { GenerativeContent, GenerativePart } from './generative-request.ts';

/** Purpose of encrypted thought signatures, followed by the model name. */
export const THOUGHT = 'generative thought ';

/** Values that clients send if they have no signature. */
const SENTINELS = new Set(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']);

const DATA = [
  ...names('text inlineData fileData functionCall functionResponse executableCode codeExecutionResult'),
  ...names('toolCall toolResponse'),
];

const CALL_ORDER =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
const RESPONSE_ORDER = 'Please ensure that function response turn comes immediately after a function call turn.';
const RESPONSE_COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

const calls = ({ parts = [] }: GenerativeContent) => parts.filter(({ functionCall }) => functionCall !== undefined);
const results = ({ parts = [] }: GenerativeContent) =>
  parts.filter(({ functionResponse }) => functionResponse !== undefined);

function checkPart(part: GenerativePart, path: string): void {
  const wrong = (field: string, problem: string) => invalidMessage(`GenerateContentRequest.${path}.${field}`, problem);
  const kinds = DATA.filter((kind) => kind in part);
  if (kinds.length > 1) {
    const problem = `oneof field 'data' is already set. Cannot set '${kinds[1]}'`;
    throw invalidArgument(`Invalid value at '${path}' (oneof), ${problem}`, path);
  }
  if (kinds.length === 0 && part.thoughtSignature === undefined) {
    throw wrong('data', "required oneof field 'data' must have one initialized field");
  }
  const { functionCall, functionResponse, inlineData } = part;
  if (functionCall && !functionCall.name) throw wrong('function_call.name', 'Name cannot be empty.');
  if (functionResponse && !functionResponse.name) throw wrong('function_response.name', 'Name cannot be empty.');
  if (inlineData && !inlineData.mimeType) throw wrong('inline_data.mime_type', 'must not be empty.');
}

/** Consecutive contents with the same role form one turn, because SDK chats store each chunk as a separate content. */
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
    const actual = results(content).length;
    if (actual > 0 && expected === 0) throw invalidArgument(RESPONSE_ORDER);
    if (actual !== expected && expected > 0) throw invalidArgument(RESPONSE_COUNT);
    if (calls(content).length > 0 && before === undefined) throw invalidArgument(CALL_ORDER);
  }
  const last = contents.at(-1);
  if (last !== undefined && calls(last).length > 0) throw invalidArgument(RESPONSE_COUNT);
}

/** Signatures must come from this model. The newest models require one for each step of the current turn. */
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
    const problem = `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, ${call}.`;
    const hint = 'Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.';
    throw invalidArgument(`${problem} ${hint}`);
  }
}

/** "The maximum total request size is 20 MB" (ai.google.dev, page on inline data). */
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
    throw invalidMessage('GenerateContentRequest.contents', 'contents is not specified');
  }
  for (const [at, { role = 'user', parts = [] }] of contents.entries()) {
    const isRole = ['user', 'model', 'function', ''].includes(role);
    if (!isRole) throw invalidArgument('Please use a valid role: user, model.');
    const path = `GenerateContentRequest.contents[${at}].parts`;
    if (parts.length === 0) throw invalidMessage(path, 'contents.parts must not be empty.');
    for (const [index, part] of parts.entries()) {
      checkPart(part, `contents[${at}].parts[${index}]`);
      const wrong = role === 'model' ? part.functionResponse : part.functionCall;
      if (wrong !== undefined) throw invalidArgument(CALL_ORDER);
    }
  }
  checkSize(contents);
  checkTurns(mergeNeighbors(contents));
  checkSignatures(contents, model, secretStore);
}
