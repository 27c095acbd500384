import { GatewayError, type GenerationRequest, type LossReport, type Tool, type ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { JsonField } from '../../json/json-field.ts';
import { fromOpenApiSchema } from './from-openapi-schema.ts';
import { filledRecord, recordFields, records } from '../wire/proto-json.ts';
import { asArray, asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';

/**
 * Decodes tools. Each tool that the vendor runs (e.g. search or code execution) becomes a hosted tool.
 * @throws GatewayError `invalid_request` with the field's name, or `unsupported_parameter` for MCP servers
 */
export function decodeTools(body: JsonObject, report: LossReport): Pick<GenerationRequest, 'tools' | 'toolChoice'> {
  const tools = recordFields(new JsonField(body['tools'], 'tools')).flatMap((tool) => decodeTool(tool, report));
  const config = filledRecord(body['toolConfig']) ?? {};
  return { tools, toolChoice: decodeChoice(filledRecord(config['functionCallingConfig']) ?? {}) };
}

function decodeTool(tool: JsonField, report: LossReport): Tool[] {
  return Object.entries(tool.object()).flatMap(([key, value]): Tool[] => {
    if (key === 'functionDeclarations') {
      return recordFields(tool.get(key)).map((entry) => decodeFunction(entry, report));
    }
    if (key === 'mcpServers' && records(value).length > 0) {
      const { path: param } = tool.get(key);
      const message = `${param} is not supported. Run the MCP server next to your client.`;
      throw new GatewayError('unsupported_parameter', message, { param });
    }
    // An empty object (`{}`) enables the tool.
    return isRecord(value) ? [{ kind: 'hosted', name: key, raw: { [key]: value } }] : [];
  });
}

function decodeFunction(field: JsonField, report: LossReport): Tool {
  const declaration = field.object();
  const name = asNonEmptyString(declaration['name']);
  if (name === undefined) throw field.get('name').invalid('is required');
  for (const key of ['behavior', 'response', 'responseJsonSchema']) {
    if (isSet(declaration[key])) report({ field: `functionDeclarations.${key}`, how: 'dropped' });
  }
  const jsonSchema = filledRecord(declaration['parametersJsonSchema']);
  const openApiSchema = filledRecord(declaration['parameters']);
  return {
    kind: 'function',
    ...toolName(name),
    description: asNonEmptyString(declaration['description']),
    schema: jsonSchema ?? (openApiSchema && fromOpenApiSchema(openApiSchema, field.get('parameters').path)),
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
