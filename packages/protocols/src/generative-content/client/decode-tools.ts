import { GatewayError, type GenerationRequest, type LossReport, type Tool, type ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import { fromOpenApiSchema } from './from-openapi-schema.ts';
import { filledRecord, records } from '../wire/proto-json.ts';
import { asArray, asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';

/**
 * Each tool that the vendor runs (search, code execution …) becomes a hosted tool.
 * @throws GatewayError `invalid_request` naming the field; `unsupported_parameter` for MCP servers
 */
export function decodeTools(body: JsonObject, report: LossReport): Pick<GenerationRequest, 'tools' | 'toolChoice'> {
  const tools = records(body['tools']).flatMap((tool, index) => decodeTool(tool, `tools[${index}]`, report));
  const config = filledRecord(body['toolConfig']) ?? {};
  for (const key of Object.keys(config)) {
    if (key !== 'functionCallingConfig') report({ field: `toolConfig.${key}`, how: 'dropped' });
  }
  return { tools, toolChoice: decodeChoice(filledRecord(config['functionCallingConfig']) ?? {}) };
}

function decodeTool(tool: JsonObject, param: string, report: LossReport): Tool[] {
  return Object.entries(tool).flatMap(([key, value]): Tool[] => {
    if (key === 'functionDeclarations') {
      return records(value).map((entry, index) => decodeFunction(entry, `${param}[${key}][${index}]`, report));
    }
    if (key === 'mcpServers' && records(value).length > 0) {
      const message = `${param}[mcpServers] is not supported. Run the MCP server next to your client.`;
      throw new GatewayError('unsupported_parameter', message, { param: `${param}[mcpServers]` });
    }
    // `{}` enables such a tool.
    return isRecord(value) ? [{ kind: 'hosted', name: key, raw: { [key]: value } }] : [];
  });
}

function decodeFunction(declaration: JsonObject, param: string, report: LossReport): Tool {
  const name = asNonEmptyString(declaration['name']);
  if (name === undefined) throw invalidField(`${param}[name]`, 'is required');
  for (const key of ['behavior', 'response', 'responseJsonSchema']) {
    if (isSet(declaration[key])) report({ field: `functionDeclarations.${key}`, how: 'dropped' });
  }
  const jsonSchema = filledRecord(declaration['parametersJsonSchema']);
  const openApiSchema = filledRecord(declaration['parameters']);
  return {
    kind: 'function',
    ...toolName(name),
    description: asNonEmptyString(declaration['description']),
    schema: jsonSchema ?? (openApiSchema && fromOpenApiSchema(openApiSchema, `${param}[parameters]`)),
  };
}

function decodeChoice(config: JsonObject): ToolChoice | undefined {
  const sent = asArray(config['allowedFunctionNames']).filter((name) => typeof name === 'string');
  const names = sent.map((name) => flatToolName(name));
  const [first] = names;
  switch (asNonEmptyString(config['mode'])?.toUpperCase() ?? '') {
    case 'NONE':
      return { type: 'none' };
    case 'AUTO':
      return { type: 'auto' };
    case 'ANY':
      if (first === undefined) return { type: 'required' };
      return names.length === 1 ? { type: 'tool', name: first } : { type: 'allowed', mode: 'required', names };
    case 'VALIDATED':
      return first === undefined ? { type: 'auto' } : { type: 'allowed', mode: 'auto', names };
    default:
      return undefined;
  }
}
