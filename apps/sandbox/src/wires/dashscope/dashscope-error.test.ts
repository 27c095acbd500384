import { describe, expect, it } from 'vitest';
import { explainBody, formatDashscopeError } from './dashscope-error.ts';

describe('formatDashscopeError', () => {
  // Source: DashScope docs, "Status codes".
  it.each([
    ['malformed', 400, 'InvalidParameter'],
    ['refused', 400, 'InvalidParameter'],
    ['moderation', 400, 'DataInspectionFailed'],
    ['balance', 400, 'Arrearage'],
    ['throttled', 429, 'Throttling.RateQuota'],
    ['concurrency', 429, 'Throttling'],
    ['unavailable', 503, 'ModelUnavailable'],
    ['broken', 500, 'InternalError'],
    ['unknown_call', 400, 'InvalidURL'],
  ] as const)('formats %s as %d %s', (fault, status, code) => {
    const error = formatDashscopeError(fault);
    expect(error.status).toBe(status);
    expect(error.body('req_1')).toEqual({ code, message: error.message, request_id: 'req_1' });
  });

  it('returns an unknown task without an error', () => {
    const error = formatDashscopeError('not_found', 'task-1');
    expect(error.status).toBe(200);
    expect(error.body('req_1')).toEqual({
      request_id: 'req_1',
      output: { task_id: 'task-1', task_status: 'UNKNOWN' },
    });
  });
});

it.each([
  ['missing', 'model', 'BadRequest.EmptyModel'],
  ['missing', 'input', 'BadRequest.EmptyInput'],
  ['missing', 'input.prompt', 'InvalidParameter'],
  ['unknown', 'parameters.ratio', 'InvalidParameter'],
  ['invalid', 'parameters.size', 'InvalidParameter'],
] as const)('explainBody reports that %s %s is %s', (kind, field, code) => {
  const error = explainBody({ kind, field, message: 'must be so' });
  expect([error.status, error.body('')]).toMatchObject([
    400,
    { code, message: expect.stringContaining(field.split('.')[0] ?? '') },
  ]);
});
