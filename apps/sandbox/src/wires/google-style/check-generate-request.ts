import type { WireError } from '../../http/wire-error.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { checkContents } from './check-contents.ts';
import { invalidArgument, invalidMessage } from './google-error.ts';
import { CountRequest, GenerateRequest, type GenerativeRequest, type GenerativeSchema } from './generative-request.ts';
import { readBody } from './proto-message.ts';

const FUNCTION_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;
const FUNCTION_NAME_RULE =
  '[FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.';

function checkSchema(schema: GenerativeSchema, path: string): void {
  const wrong = (where: string, problem: string) => invalidMessage(`GenerateContentRequest.${path}${where}`, problem);
  const properties = Object.entries(schema.properties ?? {});
  if (schema.type === undefined && schema.anyOf === undefined) throw wrong('.type', 'must be specified');
  const isEmpty = schema.type === 'OBJECT' && properties.length === 0;
  if (isEmpty) throw wrong('.properties', 'should be non-empty for OBJECT type');
  if (schema.type === 'ARRAY' && schema.items === undefined) throw wrong('.items', 'missing field.');
  for (const [at, name] of (schema.required ?? []).entries()) {
    if (schema.properties?.[name] === undefined) throw wrong(`.required[${at}]`, 'property is not defined');
  }
  for (const [name, part] of properties) checkSchema(part, `${path}.properties[${name}]`);
  if (schema.items !== undefined) checkSchema(schema.items, `${path}.items`);
  for (const [at, part] of (schema.anyOf ?? []).entries()) checkSchema(part, `${path}.any_of[${at}]`);
}

function checkTools({ tools = [], toolConfig }: GenerativeRequest): void {
  const names = new Set<string>();
  for (const [at, { functionDeclarations = [] }] of tools.entries()) {
    for (const [index, { name = '', parameters, parametersJsonSchema }] of functionDeclarations.entries()) {
      const path = `tools[${at}].function_declarations[${index}]`;
      if (!FUNCTION_NAME.test(name)) throw invalidMessage(`GenerateContentRequest.${path}.name`, FUNCTION_NAME_RULE);
      if (names.has(name)) throw invalidArgument(`Duplicate function declaration found: ${name}`);
      names.add(name);
      if (parameters !== undefined && parametersJsonSchema !== undefined) {
        const problem = 'only one of parameters and parameters_json_schema may be set.';
        throw invalidMessage(`GenerateContentRequest.${path}`, problem);
      }
      if (parameters !== undefined) checkSchema(parameters, `${path}.parameters`);
    }
  }
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  const path = 'GenerateContentRequest.tool_config.function_calling_config.allowed_function_names';
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    throw invalidMessage(path, 'should be set only when function_calling_config.mode is ANY or VALIDATED.');
  }
  const unknown = allowed.find((name) => !names.has(name));
  if (unknown !== undefined) throw invalidMessage(path, `function "${unknown}" is not declared in tools.`);
  if (mode === 'ANY' && names.size === 0) {
    throw invalidArgument('Function calling config is set without function_declarations.');
  }
}

const RANGES = [
  ['temperature', 'temperature', 0, 2],
  ['topP', 'top_p', 0, 1],
  ['candidateCount', 'candidate_count', 1, 8],
  ['maxOutputTokens', 'max_output_tokens', 1, 2 ** 31],
] as const;
const MIME_TYPES =
  'allowed mimetypes are `text/plain`, `application/json`, `application/xml`, `application/yaml` and `text/x.enum`.';

function invalidConfig(field: string, problem: string): WireError {
  return invalidMessage(`GenerateContentRequest.generation_config${field}`, problem);
}

function checkConfig({ generationConfig: config = {} }: GenerativeRequest): void {
  for (const [field, name, min, max] of RANGES) {
    const value = config[field] ?? min;
    if (value < min || value > max) throw invalidConfig(`.${name}`, `must be in the range [${min}, ${max}].`);
  }
  const { stopSequences = [], responseMimeType: mime = 'text/plain', responseSchema, responseJsonSchema } = config;
  if (stopSequences.length > 5) throw invalidConfig('.stop_sequences', 'at most 5 stop sequences are allowed.');
  if (stopSequences.includes('')) throw invalidConfig('.stop_sequences', 'must not contain empty strings.');
  if (!['text/plain', 'application/json', 'text/x.enum'].includes(mime))
    throw invalidConfig('.response_mime_type', MIME_TYPES);
  if ((responseSchema ?? responseJsonSchema) !== undefined && mime === 'text/plain') {
    throw invalidConfig(
      '.response_schema',
      'only allowed with a response_mime_type of application/json or text/x.enum.',
    );
  }
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    throw invalidConfig('', 'only one of response_schema and response_json_schema may be set.');
  }
  if (responseSchema !== undefined) checkSchema(responseSchema, 'generation_config.response_schema');
  const thinking = config.thinkingConfig;
  if (thinking?.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined) {
    throw invalidArgument('You can only set only one of thinking budget and thinking level.');
  }
}

export function checkGenerateRequest(body: unknown, model: string, secretStore: SecretStore): GenerativeRequest {
  // The cast is safe because `readBody` has checked every field of this type.
  const request = readBody(GenerateRequest, body) as GenerativeRequest;
  checkConfig(request);
  checkTools(request);
  checkContents(request.contents, model, secretStore);
  return request;
}

export function checkCountRequest(body: unknown, model: string, secretStore: SecretStore): GenerativeRequest {
  // The cast is safe because `readBody` has checked every field of this type.
  const request = readBody(CountRequest, body) as GenerativeRequest & {
    generateContentRequest?: GenerativeRequest;
  };
  const counted = request.generateContentRequest ?? request;
  checkTools(counted);
  checkContents(counted.contents, model, secretStore);
  return counted;
}
