import { GatewayError, type GenerationRequest, type LossReport, type Tool, type ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { fromOpenApiSchema } from './from-openapi-schema.ts';
import { filledRecord, records } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/**
 * Reads `tools` and `toolConfig`. Each tool that the vendor runs (search, code execution …) becomes a hosted tool.
 * @throws GatewayError `invalid_request` naming the field; `unsupported_parameter` for MCP servers
 */
export function decodeTools(body: JsonObject, report: LossReport): Pick<GenerationRequest, 'tools' | 'toolChoice'> {
  const tools = records(body['tools']).flatMap((tool, index) => decodeTool(tool, `tools[${index}]`, report));
  const config = filledRecord(body['toolConfig']) ?? {};
  for (const key of Object.keys(config)) {
    if (key !== 'functionCallingConfig') report({ field: `toolConfig.${key}`, how: 'dropped' });
  }
  const toolChoice = decodeChoice(filledRecord(config['functionCallingConfig']) ?? {});
  return { tools, ...(toolChoice && { toolChoice }) };
}

function decodeTool(tool: JsonObject, param: string, report: LossReport): Tool[] {
  return Object.entries(tool).flatMap(([key, value]): Tool[] => {
    if (key === 'functionDeclarations') {
      return records(value).map((one, index) => declaration(one, `${param}[${key}][${index}]`, report));
    }
    if (key === 'mcpServers' && records(value).length > 0) {
      const message = `${param}[mcpServers] is not supported. Run the MCP server next to your client.`;
      throw new GatewayError('unsupported_parameter', message, { param: `${param}[mcpServers]` });
    }
    // `{}` enables such a tool.
    return isRecord(value) ? [{ kind: 'hosted', name: key, raw: { [key]: value } }] : [];
  });
}

function declaration(one: JsonObject, param: string, report: LossReport): Tool {
  const { name, parameters, parametersJsonSchema } = one;
  if (typeof name !== 'string' || name === '') {
    throw new GatewayError('invalid_request', `${param}[name] is required.`, { param: `${param}[name]` });
  }
  for (const key of ['behavior', 'response', 'responseJsonSchema']) {
    if (one[key] !== undefined && one[key] !== null) report({ field: `functionDeclarations.${key}`, how: 'dropped' });
  }
  const plain = filledRecord(parametersJsonSchema);
  const native = filledRecord(parameters);
  const schema = plain ?? (native && fromOpenApiSchema(native, `${param}[parameters]`));
  const description = asNonEmptyString(one['description']);
  return {
    kind: 'function',
    ...toolName(name),
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
  };
}

function decodeChoice(config: JsonObject): ToolChoice | undefined {
  const allowed = config['allowedFunctionNames'];
  const names = (Array.isArray(allowed) ? allowed : []).filter((name): name is string => typeof name === 'string');
  const flat = names.map((name) => flatToolName(name));
  const [only] = flat;
  switch (asNonEmptyString(config['mode'])?.toUpperCase() ?? '') {
    case 'NONE':
      return { type: 'none' };
    case 'AUTO':
      return { type: 'auto' };
    case 'ANY':
      if (only === undefined) return { type: 'required' };
      return flat.length === 1 ? { type: 'tool', name: only } : { type: 'allowed', mode: 'required', names: flat };
    case 'VALIDATED':
      return only === undefined ? { type: 'auto' } : { type: 'allowed', mode: 'auto', names: flat };
    default:
      return undefined;
  }
}
