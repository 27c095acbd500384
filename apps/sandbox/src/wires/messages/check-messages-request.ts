import type { SecretStore } from '../../text/secret-store.ts';
import { checkTurns } from './check-turns.ts';
import { explainMessagesIssue, invalidMessages, unsupportedThread } from './messages-error.ts';
import { CountRequestSchema, type MessagesRequest, MessagesRequestSchema } from './messages-request.ts';

function checkTools({ tools = [], tool_choice: choice }: Pick<MessagesRequest, 'tools' | 'tool_choice'>): void {
  const names = tools.flatMap((tool) => ('name' in tool ? [tool.name] : []));
  if (new Set(names).size < names.length) throw invalidMessages('tools: Tool names must be unique.');
  if (choice === undefined) return;
  if (tools.length === 0 && choice.type !== 'none') {
    throw invalidMessages('tool_choice: tool_choice may only be specified while providing tools');
  }
  if (choice.type === 'tool' && !names.includes(choice.name)) {
    throw invalidMessages(`tool_choice: Tool '${choice.name}' not found in provided tools`);
  }
}

/** Models after Opus 4.6 reject sampling parameters. The newest also reject forced tools and thinking budgets. */
function checkModel(request: MessagesRequest): void {
  const { model, temperature, top_p: topP, top_k: topK, thinking, tool_choice: choice } = request;
  if (/(?:sonnet|opus|haiku)-5|fable-5|opus-4-[78]/.test(model)) {
    const changed = { temperature: (temperature ?? 1) !== 1, top_p: (topP ?? 1) < 0.99, top_k: topK !== undefined };
    for (const [name, isChanged] of Object.entries(changed)) {
      if (isChanged) throw invalidMessages(`${name}: \`${name}\` is not supported by this model`);
    }
  }
  if (!/(?:sonnet|opus)-5-5|fable-5-[12]/.test(model)) return;
  if (choice?.type === 'any' || choice?.type === 'tool') {
    throw invalidMessages('tool_choice: forced tool use is not supported by this model');
  }
  if (thinking?.type === 'enabled' || thinking?.type === 'disabled') {
    throw invalidMessages(`thinking.type: '${thinking.type}' is not supported by this model; use 'adaptive'`);
  }
}

function checkThinking(request: MessagesRequest): void {
  const { thinking, max_tokens: max, temperature, top_p: topP, top_k: topK, tool_choice: choice } = request;
  if (thinking === undefined || thinking.type === 'disabled') return;
  if (thinking.type === 'enabled' && thinking.budget_tokens >= max) {
    throw invalidMessages(
      '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
    );
  }
  if (temperature !== undefined && temperature !== 1) {
    throw invalidMessages(
      '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking',
    );
  }
  if (topP !== undefined && topP < 0.95) {
    throw invalidMessages(
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.',
    );
  }
  if (topK !== undefined) throw invalidMessages('`top_k` must be unset when thinking is enabled or in adaptive mode.');
  if (choice?.type === 'any' || choice?.type === 'tool') {
    throw invalidMessages('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

/** Structured output requires `additionalProperties: false` in all objects. */
function checkFormatSchema(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { type, additionalProperties }: { type?: unknown; additionalProperties?: unknown } = schema;
  if (type === 'object' && additionalProperties !== false) {
    const rule = "For 'object' type, 'additionalProperties' must be explicitly set to false";
    throw invalidMessages(`output_config.format.schema: ${rule}`);
  }
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'enum' || name === 'const' || name === 'default' || name === 'examples') continue;
    checkFormatSchema(part);
  }
}

function checkCacheBreakpoints(body: unknown): void {
  const count = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0;
  if (count <= 4) return;
  throw invalidMessages(`A maximum of 4 blocks with cache_control may be provided. Found ${count}.`);
}

function checkSystem({ system }: Pick<MessagesRequest, 'system'>): void {
  if (Array.isArray(system) && system.some(({ text }) => text === '')) {
    throw invalidMessages('system: text content blocks must be non-empty');
  }
}

export function checkMessagesRequest(body: unknown, secretStore: SecretStore): MessagesRequest {
  const parsed = MessagesRequestSchema.safeParse(body ?? {});
  if (!parsed.success) throw explainMessagesIssue(parsed.error, body);
  const request = parsed.data;
  if (request.thread) throw unsupportedThread();
  if (request.stop_sequences?.some((stop) => stop.trim() === '') === true) {
    throw invalidMessages('stop_sequences: each stop sequence must contain non-whitespace');
  }
  checkSystem(request);
  checkTools(request);
  checkModel(request);
  checkThinking(request);
  checkFormatSchema(request.output_config?.format?.schema ?? request.output_format?.schema);
  checkCacheBreakpoints(body);
  checkTurns(request, secretStore);
  return request;
}

export function checkCountRequest(body: unknown, secretStore: SecretStore): MessagesRequest {
  const parsed = CountRequestSchema.safeParse(body ?? {});
  if (!parsed.success) throw explainMessagesIssue(parsed.error, body);
  checkSystem(parsed.data);
  checkTools(parsed.data);
  checkTurns(parsed.data, secretStore);
  return { ...parsed.data, max_tokens: 1 };
}
