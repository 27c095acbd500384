import type { TextProtocolName } from '@sluice/canonical';
import { expect } from 'vitest';

/** The expected error. */
export interface Refusal {
  status: number;
  code: string;
  /** The path of the invalid field. Null means that the error names no field. If omitted, it is not checked. */
  param?: string | null;
  message?: RegExp;
}

const TYPES: Readonly<Record<TextProtocolName, Readonly<Record<number, string>>>> = {
  'chat-completions': { 403: 'permission_error' },
  responses: { 403: 'permission_error' },
  messages: {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
  },
  'generative-content': { 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND' },
};

/** Checks that a response is an error in a protocol's format and has everything that published SDKs read. */
export async function expectRefusal(response: Response, protocol: TextProtocolName, expected: Refusal): Promise<void> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: expected.status });
  const id = response.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get('request-id')).toBe(id);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  // No error may contain the schema library's own messages, which are written for programmers.
  expect(text).not.toMatch(
    /Invalid (?:input|string|option|key|element)|Unrecognized key|Too (?:small|big)|regex|pattern/,
  );
  expect(text).not.toMatch(/sk-vendor|127\.0\.0\.1|node_modules|at \w+ \(|"secret/);
  const body: unknown = JSON.parse(text);
  expect(body).toEqual(shapes[protocol](expected, id));
}

const shapes: Readonly<Record<TextProtocolName, (expected: Refusal, id: string) => unknown>> = {
  'chat-completions': openAi,
  responses: openAi,
  messages: ({ status, code, param, message = /./ }, id) => ({
    type: 'error',
    error: {
      type: TYPES.messages[status] ?? 'invalid_request_error',
      // The format has no property for the field, so the message contains its path, unless the error is about the
      // model.
      message: expect.toSatisfy(
        (text: string) => message.test(text) && (param === 'model' || text.includes(param ?? '')),
      ),
      details: { error_code: code },
    },
    request_id: id,
  }),
  'generative-content': ({ status, code, param, message = /./ }) => {
    const details = [
      ...(code === 'invalid_api_key' ? [expect.objectContaining({ reason: 'API_KEY_INVALID' })] : []),
      ...(param ? [expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: param })] })] : []),
    ];
    const error = {
      code: status,
      message: expect.stringMatching(message),
      status: TYPES['generative-content'][status] ?? 'INVALID_ARGUMENT',
    };
    if (param === undefined && details.length === 0) return { error: expect.objectContaining(error) };
    return { error: { ...error, ...(details.length > 0 && { details }) } };
  },
};

function openAi({ status, code, param, message = /./ }: Refusal): unknown {
  return {
    error: {
      message: expect.stringMatching(message),
      type: TYPES.responses[status] ?? 'invalid_request_error',
      param: param === undefined ? expect.toSatisfy(isParam) : param,
      code,
    },
  };
}

function isParam(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
