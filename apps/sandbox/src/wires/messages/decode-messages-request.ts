import type { TextRequest, ToolDefinition, ToolResult, ToolUse, Turn } from '../../text/text-request.ts';
import { systemTurns } from '../../text/text-request.ts';
import type { MessagesBlock, MessagesMessage, MessagesRequest } from './messages-request.ts';

type Part = Extract<Extract<MessagesBlock, { type: 'tool_result' }>['content'], unknown[]>[number];

function textOf(parts: readonly (MessagesBlock | Part)[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesIn(parts: readonly (MessagesBlock | Part)[]): number {
  return parts.filter(({ type }) => type === 'image').length;
}

function resultOf(block: Extract<MessagesBlock, { type: 'tool_result' }>, name = ''): ToolResult {
  const { content = '', is_error: failed = false } = block;
  if (typeof content === 'string') return { name, text: content, images: 0, failed };
  return { name, text: textOf(content), images: imagesIn(content), failed };
}

function turnsOf(messages: readonly MessagesMessage[]): Turn[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }): Turn[] => {
    if (typeof content === 'string') return [{ role, text: content, images: 0 }];
    for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name);
    const results = content.flatMap((block) =>
      block.type === 'tool_result' ? [resultOf(block, names.get(block.tool_use_id))] : [],
    );
    const turn: Turn = { role, text: textOf(content), images: imagesIn(content) };
    if (results.length === 0) return [turn];
    const alone = turn.text === '' && turn.images === 0;
    return [{ role: 'tool', results }, ...(alone ? [] : [turn])];
  });
}

function offered(tool: NonNullable<MessagesRequest['tools']>[number]): ToolDefinition[] {
  return 'input_schema' in tool ? [{ name: tool.name, kind: 'function', schema: tool.input_schema }] : [];
}

function toolUse({ tool_choice: choice }: MessagesRequest): ToolUse {
  if (choice?.type === 'tool') return { toolUse: 'required', onlyTools: [choice.name] };
  if (choice?.type === 'none') return { toolUse: 'none' };
  return { toolUse: choice?.type === 'any' ? 'required' : 'auto' };
}

export function decodeMessagesRequest(request: MessagesRequest): TextRequest {
  const { system, thinking, tool_choice: choice, output_config: config } = request;
  const format = config?.format ?? request.output_format;
  const instructions = typeof system === 'string' ? system : textOf(system ?? []);
  return {
    model: request.model,
    turns: [...systemTurns(instructions), ...turnsOf(request.messages)],
    tools: (request.tools ?? []).flatMap(offered),
    ...toolUse(request),
    parallel: choice === undefined || choice.type === 'none' || choice.disable_parallel_tool_use !== true,
    requestsReasoning: thinking !== undefined && thinking.type !== 'disabled',
    format: format ? { schema: format.schema } : undefined,
    stops: request.stop_sequences ?? [],
    maxTokens: request.max_tokens,
  };
}
