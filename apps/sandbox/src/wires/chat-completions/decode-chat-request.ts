import type { TextRequest, ToolDefinition, ToolUse, Turn } from '../../text/text-request.ts';
import type { ChatMessage, ChatRequest } from './chat-request.ts';

type Content = ChatMessage['content'];

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesIn(content: Content): number {
  return Array.isArray(content) ? content.filter(({ type }) => type === 'image_url').length : 0;
}

/** The protocol has no error flag, so a failed tool is recognized by its text. */
function failed(text: string): boolean {
  return /^error\b/i.test(text);
}

function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const names = new Map<string, string>();
  return messages.map((message): Turn => {
    const text = textOf(message.content);
    if (message.role === 'tool') {
      const name = names.get(message.tool_call_id) ?? '';
      return { role: 'tool', results: [{ name, text, images: 0, failed: failed(text) }] };
    }
    if (message.role === 'function') {
      return { role: 'tool', results: [{ name: message.name, text, images: 0, failed: failed(text) }] };
    }
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        names.set(call.id, call.type === 'function' ? call.function.name : call.custom.name);
      }
    }
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, text, images: imagesIn(message.content) };
  });
}

function offered(tool: NonNullable<ChatRequest['tools']>[number]): ToolDefinition {
  if (tool.type === 'custom') return { name: tool.custom.name, kind: 'custom' };
  return { name: tool.function.name, kind: 'function', schema: tool.function.parameters ?? { type: 'object' } };
}

function offeredFunction({ name, parameters = {} }: NonNullable<ChatRequest['functions']>[number]): ToolDefinition {
  return { name, kind: 'function', schema: { type: 'object', ...parameters } };
}

function toolUse({ tool_choice: choice = 'auto', function_call: legacy }: ChatRequest): ToolUse {
  if (typeof legacy === 'string') return { toolUse: legacy };
  if (legacy !== undefined) return { toolUse: 'required', onlyTools: [legacy.name] };
  if (typeof choice === 'string') return { toolUse: choice };
  const nameOf = (tool: Exclude<typeof choice, { type: 'allowed_tools' }>) =>
    tool.type === 'function' ? tool.function.name : tool.custom.name;
  if (choice.type !== 'allowed_tools') return { toolUse: 'required', onlyTools: [nameOf(choice)] };
  return { toolUse: choice.allowed_tools.mode, onlyTools: choice.allowed_tools.tools.map(nameOf) };
}

function requestsReasoning({
  reasoning_effort: effort,
  thinking,
  reasoning,
  enable_thinking: enabled,
}: ChatRequest): boolean {
  if (effort) return effort !== 'none';
  if (thinking !== undefined) return thinking.type !== 'disabled';
  return enabled === true || (reasoning !== undefined && reasoning['effort'] !== 'none');
}

export function decodeChatRequest(request: ChatRequest): TextRequest {
  const { response_format: format, stop } = request;
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  return {
    model: request.model,
    turns: turnsOf(request.messages),
    tools: [...(request.tools ?? []).map(offered), ...(request.functions ?? []).map(offeredFunction)],
    ...toolUse(request),
    parallel: request.parallel_tool_calls !== false && request.functions === undefined,
    requestsReasoning: requestsReasoning(request),
    ...(format?.type === 'json_object' && { format: {} }),
    ...(format?.type === 'json_schema' && { format: { schema: format.json_schema.schema } }),
    stops: [stop ?? []].flat(),
    maxTokens: maxTokens ?? undefined,
  };
}
