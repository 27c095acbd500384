import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter, missingParameter } from '../openai-style/openai-error.ts';
import {
  changedSampling,
  checkFunction,
  checkStreamOptions,
  isReasoningModel,
} from '../openai-style/request-checks.ts';
import { strictSchemaError } from '../openai-style/strict-schema.ts';
import { type ChatMessage, type ChatRequest, ChatRequestSchema } from './chat-request.ts';

/** The tool messages after an assistant message must respond to exactly the calls in that message. */
function checkToolTurns(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  let calls: string[] = [];
  const complete = (at: number) => {
    if (open.length === 0) return;
    const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`;
    throw invalidParameter(`messages.[${at}].role`, message);
  };
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') {
      complete(at);
      calls = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
      if (new Set(calls).size < calls.length) {
        throw invalidParameter(`messages.[${at}].tool_calls`, "Duplicate value for 'tool_call_id' in message.");
      }
      open = calls;
      continue;
    }
    if (calls.length === 0) {
      const text =
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      throw invalidParameter(`messages.[${at}].role`, text);
    }
    if (!open.includes(message.tool_call_id)) {
      const text = `Invalid parameter: 'tool_call_id' of '${message.tool_call_id}' not found in 'tool_calls' of previous message.`;
      throw invalidParameter(`messages.[${at}].tool_call_id`, text);
    }
    open = open.filter((id) => id !== message.tool_call_id);
  }
  complete(messages.length);
}

function checkContents(messages: readonly ChatMessage[]): void {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant' || message.tool_calls !== undefined || message.function_call) continue;
    if ((message.content ?? message.refusal ?? message.audio ?? null) !== null) continue;
    const text = "Invalid value for 'content': expected a string, got null.";
    throw invalidParameter(`messages.[${at}].content`, text);
  }
}

function checkTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest): void {
  for (const [name, value] of Object.entries({ tool_choice: choice, parallel_tool_calls: parallel })) {
    if (value === undefined || tools !== undefined || value === 'none') continue;
    throw invalidParameter(name, `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`);
  }
  const names = (tools ?? []).map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name));
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type === 'function') checkFunction(tool.function, `tools[${at}].function.parameters`);
  }
  if (typeof choice !== 'object' || choice.type === 'allowed_tools') return;
  const name = choice.type === 'function' ? choice.function.name : choice.custom.name;
  if (names.includes(name)) return;
  const text = `Invalid value for 'tool_choice': tool named '${name}' was not specified in 'tools'.`;
  throw invalidParameter('tool_choice', text);
}

/** Checks the deprecated fields `functions` and `function_call`. */
function checkFunctions({ functions, function_call: choice }: ChatRequest): void {
  for (const [at, definition] of (functions ?? []).entries()) checkFunction(definition, `functions[${at}].parameters`);
  if (choice === undefined) return;
  if (functions === undefined) {
    const text = "Invalid value for 'function_call': 'function_call' is only allowed when 'functions' are specified.";
    throw invalidParameter('function_call', text);
  }
  if (typeof choice === 'string' || functions.some(({ name }) => name === choice.name)) return;
  const text = `Invalid value for 'function_call': no function named '${choice.name}' was specified in the 'functions' parameter.`;
  throw invalidParameter('function_call', text);
}

function checkFormat({ response_format: format, messages }: ChatRequest): void {
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(messages))) {
    const text =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    throw invalidParameter('messages', text);
  }
  if (format?.type !== 'json_schema') return;
  const { name, schema, strict } = format.json_schema;
  if (schema === undefined) throw missingParameter('response_format.json_schema.schema');
  const fault = strict ? strictSchemaError(schema) : undefined;
  if (fault !== undefined)
    throw invalidParameter('response_format', `Invalid schema for response_format '${name}': ${fault}`);
}

/** Reasoning models reject sampling parameters and `max_tokens`. */
function checkReasoningModel(request: ChatRequest): void {
  if (!isReasoningModel(request.model)) return;
  if (typeof request.max_tokens === 'number') {
    const text =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    throw invalidParameter('max_tokens', text, 'unsupported_parameter');
  }
  if (request.reasoning_effort === 'none') return;
  const [name, value] = changedSampling(request) ?? [];
  if (name === undefined) return;
  const text = `Unsupported value: '${name}' does not support ${value} with this model. Only the default (1) value is supported.`;
  throw invalidParameter(name, text, 'unsupported_value');
}

/** @throws WireError 400 with the name of the parameter. */
export function checkChatRequest(body: unknown): ChatRequest {
  const parsed = ChatRequestSchema.safeParse(body ?? {});
  if (!parsed.success) throw explainIssue(parsed.error, body);
  const request = parsed.data;
  checkStreamOptions(request);
  if (typeof request.max_tokens === 'number' && typeof request.max_completion_tokens === 'number') {
    const text = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    throw invalidParameter('max_tokens', text, 'invalid_parameter_combination');
  }
  if (typeof request.top_logprobs === 'number' && request.logprobs !== true) {
    throw invalidParameter('top_logprobs', "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.");
  }
  checkContents(request.messages);
  checkToolTurns(request.messages);
  checkTools(request);
  checkFunctions(request);
  checkFormat(request);
  checkReasoningModel(request);
  return request;
}
