import { isObject, parseJson } from '../../schema/json.ts';
import { systemTurns, type TextRequest, type ToolResult, type ToolUse, type Turn } from '../../text/text-request.ts';
import type { ConverseBlock, ConverseMessage, ConverseRequest } from './converse-request.ts';

type Part = NonNullable<ConverseBlock['toolResult']>['content'][number];

function textOf(parts: readonly (ConverseBlock | Part)[]): string {
  return parts
    .flatMap((part) => ('json' in part && part.json !== undefined ? [JSON.stringify(part.json)] : (part.text ?? [])))
    .join('\n');
}

function imagesIn(parts: readonly (ConverseBlock | Part)[]): number {
  return parts.filter(({ image }) => image !== undefined).length;
}

function turnsOf(messages: readonly ConverseMessage[]): Turn[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }): Turn[] => {
    for (const { toolUse: call } of content) if (call) names.set(call.toolUseId, call.name);
    const results = content.flatMap(({ toolResult: result }): ToolResult[] => {
      if (!result) return [];
      const name = names.get(result.toolUseId) ?? '';
      const failed = result.status === 'error';
      return [{ name, text: textOf(result.content), images: imagesIn(result.content), failed }];
    });
    const turn: Turn = { role, text: textOf(content), images: imagesIn(content) };
    if (results.length === 0) return [turn];
    return [{ role: 'tool', results }, ...(turn.text === '' && turn.images === 0 ? [] : [turn])];
  });
}

function toolUse({ toolConfig }: ConverseRequest): ToolUse {
  const choice = toolConfig?.toolChoice;
  if (choice?.tool) return { toolUse: 'required', onlyTools: [choice.tool.name] };
  return { toolUse: choice?.any ? 'required' : 'auto' };
}

function isOn(value: unknown): boolean {
  return isObject(value) && 'type' in value && value.type !== 'disabled';
}

/** Whether the model's own fields enable reasoning: Claude's, Nova's, or OpenAI's. */
function requestsReasoning({ additionalModelRequestFields: fields = {} }: ConverseRequest): boolean {
  const { thinking, reasoningConfig, reasoning_effort: effort } = fields;
  return isOn(thinking) || isOn(reasoningConfig) || typeof effort === 'string';
}

export function decodeConverseRequest(request: ConverseRequest, model: string): TextRequest {
  const { messages = [], system = [], toolConfig, inferenceConfig, outputConfig } = request;
  const schema = outputConfig?.textFormat?.structure.jsonSchema.schema;
  return {
    model,
    turns: [...systemTurns(system.flatMap(({ text }) => text ?? []).join('\n')), ...turnsOf(messages)],
    tools: (toolConfig?.tools ?? []).flatMap(({ toolSpec }) =>
      toolSpec ? [{ name: toolSpec.name, kind: 'function', schema: toolSpec.inputSchema.json }] : [],
    ),
    ...toolUse(request),
    parallel: true,
    requestsReasoning: requestsReasoning(request),
    format: schema === undefined ? undefined : { schema: parseJson(schema) },
    stops: inferenceConfig?.stopSequences ?? [],
    maxTokens: inferenceConfig?.maxTokens,
  };
}
