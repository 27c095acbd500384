import type { z } from 'zod';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import {
  changedSampling,
  checkFunction,
  checkStreamOptions,
  isReasoningModel,
} from '../openai-style/request-checks.ts';
import { strictSchemaError } from '../openai-style/strict-schema.ts';
import { withType } from './input-item.ts';
import { type ResponsesRequest, ResponsesRequestSchema } from './responses-request.ts';

/** @throws WireError 400 with the name of the parameter. */
export function readBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const fields: Record<string, unknown> = { ...Object(body ?? {}) };
  if (Array.isArray(fields['input'])) fields['input'] = fields['input'].map(withType);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw explainIssue(parsed.error, fields);
  return parsed.data;
}

function checkTools({ tools, tool_choice: choice }: ResponsesRequest): void {
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type === 'function') checkFunction(tool, `tools[${at}].parameters`);
  }
  if (typeof choice !== 'object' || choice === null || (choice.type !== 'function' && choice.type !== 'custom')) return;
  const isKnown = (tools ?? []).some((tool) => tool.type === choice.type && tool.name === choice.name);
  if (isKnown) return;
  throw invalidParameter('tool_choice', `Tool choice '${choice.type}' not found in 'tools' parameter.`);
}

function checkFormat({ text, input, instructions }: ResponsesRequest): void {
  const format = text?.format;
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify([input, instructions]))) {
    const message =
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
    throw invalidParameter('input', message);
  }
  if (format?.type !== 'json_schema' || format.strict !== true) return;
  const fault = strictSchemaError(format.schema);
  if (fault === undefined) return;
  const message = `Invalid schema for response_format '${format.name}': ${fault}`;
  throw invalidParameter('text.format.schema', message, 'invalid_json_schema');
}

/** Reasoning models reject sampling parameters. */
function checkReasoningModel(request: ResponsesRequest): void {
  if (!isReasoningModel(request.model) || request.reasoning?.effort === 'none') return;
  const [name] = changedSampling(request) ?? [];
  if (name === undefined) return;
  const message = `Unsupported parameter: '${name}' is not supported with this model.`;
  throw invalidParameter(name, message, 'unsupported_parameter');
}

/**
 * Checks everything except relations between items.
 * @throws WireError 400 with the name of the parameter.
 */
export function checkResponsesRequest(body: unknown): ResponsesRequest {
  const request = readBody(ResponsesRequestSchema, body);
  if (request.input === undefined && !request.previous_response_id && !request.prompt) {
    const message = 'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.';
    throw openAiError(400, message, { code: 'missing_required_parameter' });
  }
  if (request.previous_response_id && request.conversation) {
    const message = "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.";
    throw invalidParameter('previous_response_id', message, 'mutually_exclusive_parameters');
  }
  checkStreamOptions(request);
  if (request.background === true && request.store === false) {
    const message = 'Background responses must be stored: background=true requires store=true.';
    throw invalidParameter('background', message, 'invalid_value');
  }
  checkTools(request);
  checkFormat(request);
  checkReasoningModel(request);
  return request;
}
