import type { z } from 'zod';
import { countInput } from '../../text/complete-request.ts';
import { deepestIssue, valueAt } from '../../schema/deepest-issue.ts';
import type { TextRequest } from '../../text/text-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import { WireError } from '../../http/wire-error.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Formats `{type: "error", error: {type, message}, request_id}`. */
export function messagesError(
  status: number,
  message: string,
  headers?: Record<string, string>,
  details?: object,
): WireError {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const body = (requestId: string) => ({ type: 'error', error: { type, message, details }, request_id: requestId });
  return new WireError(status, message, body, headers);
}

export function invalidMessages(message: string): WireError {
  return messagesError(400, message);
}

/** Returns an error with a code that the SDKs recognize. Their tool runners then send the full conversation. */
export function unsupportedThread(): WireError {
  const details = { error_code: 'thread_unsupported_request' };
  return messagesError(400, 'thread: message threads are not supported for this request', undefined, details);
}

export function formatMessagesFault(fault: TextFault, request: TextRequest): WireError {
  switch (fault) {
    case 'unauthorized':
      return messagesError(401, 'invalid x-api-key');
    case 'throttled': {
      const message = "This request would exceed your account's rate limit. Please try again later.";
      return messagesError(429, message, { 'retry-after': '1' });
    }
    case 'broken':
      return messagesError(500, 'Internal server error');
    case 'overloaded':
      return messagesError(529, 'Overloaded');
    case 'context':
      return invalidMessages(`prompt is too long: ${countInput(request).input + 200_000} tokens > 200000 maximum`);
  }
}

type Issue = z.core.$ZodIssue;

/** Paths of content blocks and tools include the block or tool type. */
function format(path: readonly PropertyKey[], body: unknown): string {
  return path
    .flatMap((step, at) => {
      const list = typeof step === 'number' && at < path.length - 1 ? path[at - 1] : undefined;
      if (list === 'tools') return [String(step), 'custom'];
      const type = list === 'content' ? valueAt(body, [...path.slice(0, at + 1), 'type']) : undefined;
      return typeof type === 'string' && path[at + 1] !== 'type' ? [String(step), type] : [String(step)];
    })
    .join('.');
}

function listed(options: readonly unknown[]): string {
  const quoted = options.map((option) => `'${String(option)}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'string',
  array: 'list',
  int: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  record: 'dictionary',
};

function explain(issue: Issue, value: unknown): string {
  if (value === undefined) return 'Field required';
  if (issue.code === 'too_small') {
    return issue.origin === 'array'
      ? `List should have at least ${issue.minimum} item after validation, not 0`
      : `Input should be greater than or equal to ${issue.minimum}`;
  }
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `String should have at most ${issue.maximum} characters`
      : `Input should be less than or equal to ${issue.maximum}`;
  }
  if (issue.code === 'invalid_format') {
    return `String should match pattern '${(issue.pattern ?? issue.format).replaceAll(/^\/|\/$/g, '')}'`;
  }
  if (issue.code === 'invalid_value') return `Input should be ${listed(issue.values)}`;
  if (issue.code === 'invalid_union') {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
    // At the vendor, only `type` selects between schemas.
    if (issue.path.at(-1) !== 'type') return `Input should be ${listed(options)}`;
    const rule = `does not match any of the expected tags: ${listed(options)}`;
    return `Input tag ${JSON.stringify(value)} found using 'type' ${rule}`;
  }
  if (issue.code === 'invalid_type') return `Input should be a valid ${KINDS[issue.expected] ?? issue.expected}`;
  return issue.message;
}

export function explainMessagesIssue(error: z.ZodError, body: unknown): WireError {
  const [first] = error.issues;
  if (first === undefined) return invalidMessages('Invalid request');
  const { issue, path } = deepestIssue(first);
  if (issue.code === 'unrecognized_keys') {
    return invalidMessages(`${format([...path, issue.keys[0] ?? ''], body)}: Extra inputs are not permitted`);
  }
  if (issue.code === 'too_small' && format(path, body) === 'messages') {
    return invalidMessages('messages: at least one message is required');
  }
  if (issue.code !== 'invalid_format' && (format(path, body) === 'temperature' || format(path, body) === 'top_p')) {
    if (typeof valueAt(body, path) === 'number') return invalidMessages(`${format(path, body)}: range: 0..1`);
  }
  return invalidMessages(`${format(path, body)}: ${explain(issue, valueAt(body, path))}`);
}
