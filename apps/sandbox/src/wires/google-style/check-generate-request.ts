import type { SecretStore } from '../../text/secret-store.ts';
import { checkContents } from './check-contents.ts';
import { invalidArgument } from './google-error.ts';
import { CountRequest, GenerateRequest, type GenerativeRequest, type GenerativeSchema } from './generative-request.ts';
import { readBody } from './proto-message.ts';

const FUNCTION_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

function checkSchema(schema: GenerativeSchema, path: string): void {
  const wrong = (where: string, message: string) =>
    invalidArgument(`* GenerateContentRequest.${path}${where}: ${message}\n`);
  const properties = Object.entries(schema.properties ?? {});
  if (schema.type === undefined && schema.anyOf === undefined) throw wrong('.type', 'must be specified');
  if (schema.type === 'OBJECT' && properties.length === 0) {
    throw wrong('.properties', 'should be non-empty for OBJECT type');
  }
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
      if (!FUNCTION_NAME.test(name)) {
        const rule =
          'Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.';
        throw invalidArgument(
          `* GenerateContentRequest.${path}.name: [FIELD_INVALID] Invalid function name. ${rule}\n`,
        );
      }
      if (names.has(name)) throw invalidArgument(`Duplicate function declaration found: ${name}`);
      names.add(name);
      if (parameters !== undefined && parametersJsonSchema !== undefined) {
        throw invalidArgument(
          `* GenerateContentRequest.${path}: only one of parameters and parameters_json_schema may be set.\n`,
        );
      }
      if (parameters !== undefined) checkSchema(parameters, `${path}.parameters`);
    }
  }
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  const path = '* GenerateContentRequest.tool_config.function_calling_config';
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    throw invalidArgument(
      `${path}.allowed_function_names: should be set only when function_calling_config.mode is ANY or VALIDATED.\n`,
    );
  }
  const unknown = allowed.find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw invalidArgument(`${path}.allowed_function_names: function "${unknown}" is not declared in tools.\n`);
  }
  if (mode === 'ANY' && names.size === 0) {
    throw invalidArgument('Function calling config is set without function_declarations.');
  }
}

function checkConfig({ generationConfig: config = {} }: GenerativeRequest): void {
  const path = '* GenerateContentRequest.generation_config';
  const inRange = (name: string, value: number | undefined, min: number, max: number) => {
    if (value === undefined || (value >= min && value <= max)) return;
    throw invalidArgument(`${path}.${name}: must be in the range [${min}, ${max}].\n`);
  };
  inRange('temperature', config.temperature, 0, 2);
  inRange('top_p', config.topP, 0, 1);
  inRange('candidate_count', config.candidateCount, 1, 8);
  inRange('max_output_tokens', config.maxOutputTokens, 1, 2 ** 31);
  if ((config.stopSequences ?? []).length > 5)
    throw invalidArgument(`${path}.stop_sequences: at most 5 stop sequences are allowed.\n`);
  if (config.stopSequences?.includes('') === true)
    throw invalidArgument(`${path}.stop_sequences: must not contain empty strings.\n`);
  const { responseMimeType: mime = 'text/plain', responseSchema, responseJsonSchema } = config;
  if (!['text/plain', 'application/json', 'text/x.enum'].includes(mime)) {
    throw invalidArgument(
      `${path}.response_mime_type: allowed mimetypes are \`text/plain\`, \`application/json\`, \`application/xml\`, \`application/yaml\` and \`text/x.enum\`.\n`,
    );
  }
  if ((responseSchema ?? responseJsonSchema) !== undefined && mime === 'text/plain') {
    throw invalidArgument(
      `${path}.response_schema: only allowed with a response_mime_type of application/json or text/x.enum.\n`,
    );
  }
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    throw invalidArgument(`${path}: only one of response_schema and response_json_schema may be set.\n`);
  }
  if (responseSchema !== undefined) checkSchema(responseSchema, 'generation_config.response_schema');
  const thinking = config.thinkingConfig;
  if (thinking?.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined) {
    throw invalidArgument('You can only set only one of thinking budget and thinking level.');
  }
}

export function checkGenerateRequest(body: unknown, model: string, secretStore: SecretStore): GenerativeRequest {
  // readBody has checked every field of the type.
  const request = readBody(GenerateRequest, body) as GenerativeRequest;
  checkConfig(request);
  checkTools(request);
  checkContents(request.contents, model, secretStore);
  return request;
}

export function checkCountRequest(body: unknown, model: string, secretStore: SecretStore): GenerativeRequest {
  // readBody has checked every field of the type.
  const request = readBody(CountRequest, body) as GenerativeRequest & {
    generateContentRequest?: GenerativeRequest;
  };
  const counted = request.generateContentRequest ?? request;
  checkTools(counted);
  checkContents(counted.contents, model, secretStore);
  return counted;
}
