import { transcriptIn } from '../generative-audio/transcript-in.ts';
import type { TextRequest, ToolDefinition, ToolResult, ToolUse, Turn } from '../../text/text-request.ts';
import { systemTurns } from '../../text/text-request.ts';
import type { GenerativeContent, GenerativePart, GenerativeRequest } from '../google-style/generative-request.ts';

function textOf(parts: readonly GenerativePart[]): string {
  return parts.flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text])).join('\n');
}

function imagesIn(parts: readonly GenerativePart[]): number {
  const types = parts.map(({ inlineData, fileData }) => (inlineData ?? fileData)?.mimeType ?? '');
  return types.filter((type) => type.startsWith('image/')).length;
}

/** The vendor reads the keys `output` and `error`. Other objects are passed as JSON text. */
function resultOf(result: NonNullable<GenerativePart['functionResponse']>): ToolResult {
  const { name = '', response = {}, parts = [] } = result;
  const failed = 'error' in response;
  const value = response['error'] ?? response['output'] ?? response;
  return { name, text: typeof value === 'string' ? value : JSON.stringify(value), images: imagesIn(parts), failed };
}

function turnsOf(contents: readonly GenerativeContent[]): Turn[] {
  return contents.flatMap(({ role, parts = [] }): Turn[] => {
    const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [resultOf(functionResponse)] : []));
    const turn: Turn = { role: role === 'model' ? 'assistant' : 'user', text: textOf(parts), images: imagesIn(parts) };
    if (results.length === 0) return [turn];
    const alone = turn.text === '' && turn.images === 0;
    return [{ role: 'tool', results }, ...(alone ? [] : [turn])];
  });
}

function offered({ tools = [] }: GenerativeRequest): ToolDefinition[] {
  return tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name = '', parameters, parametersJsonSchema }): ToolDefinition => {
      const schema = parameters ?? parametersJsonSchema ?? { type: 'object' };
      return { name, kind: 'function', schema };
    }),
  );
}

function toolUse({ toolConfig }: GenerativeRequest): ToolUse {
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode === 'NONE') return { toolUse: 'none' };
  return { toolUse: mode === 'ANY' ? 'required' : 'auto', ...(allowed.length > 0 && { onlyTools: allowed }) };
}

function requestsReasoning({ generationConfig }: GenerativeRequest): boolean {
  const thinking = generationConfig?.thinkingConfig;
  return thinking !== undefined && thinking.thinkingBudget !== 0;
}

export function decodeGenerateRequest(request: GenerativeRequest, model: string): TextRequest {
  const config = request.generationConfig ?? {};
  const system = textOf(request.systemInstruction?.parts ?? []);
  const schema = config.responseSchema ?? config.responseJsonSchema;
  const transcript = transcriptIn(request.contents ?? []);
  const structured = config.responseMimeType === 'application/json';
  return {
    model,
    turns: [...systemTurns(system), ...turnsOf(request.contents ?? [])],
    tools: offered(request),
    ...toolUse(request),
    parallel: true,
    requestsReasoning: requestsReasoning(request),
    ...(structured && { format: schema === undefined ? {} : { schema } }),
    transcript,
    stops: config.stopSequences ?? [],
    maxTokens: config.maxOutputTokens,
  };
}
