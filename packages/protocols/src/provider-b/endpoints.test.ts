import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { providerBEndpoints, providerBProtocol } from './endpoints.ts';

describe('the routes of provider-b', () => {
  it('are two actions at each path, each with an operation of its own', () => {
    const told = providerBEndpoints.map(({ path, select, operationId }) => `${path} ${select?.value} ${operationId}`);
    expect(told).toEqual([
      '/provider-b/ CVSync2AsyncSubmitTask submitVideoTask',
      '/provider-b/ CVSync2AsyncGetResult getVideoResult',
      '/provider-b CVSync2AsyncSubmitTask submitUnslashedVideoTask',
      '/provider-b CVSync2AsyncGetResult getUnslashedVideoResult',
      '/jimeng/ CVSync2AsyncSubmitTask submitJimengVideoTask',
      '/jimeng/ CVSync2AsyncGetResult getJimengVideoResult',
      '/jimeng CVSync2AsyncSubmitTask submitJimengUnslashedVideoTask',
      '/jimeng CVSync2AsyncGetResult getJimengUnslashedVideoResult',
    ]);
  });

  it('call the model as Volcengine does', () => {
    expect(providerBProtocol.fieldNames.model).toBe('req_key');
  });

  it('answer a model that there is not with 400, and every other error with its own status', () => {
    const { statusOfError } = providerBProtocol;
    const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // the table's own keys
    const told = codes.map((code) => [code, statusOfError?.(new GatewayError(code, 'x'))]);
    expect(Object.fromEntries(told)).toEqual({ ...ERROR_STATUS, model_not_found: 400 });
  });

  it('create or retrieve as their action says, in one protocol', () => {
    for (const { select, action, protocol, method } of providerBEndpoints) {
      expect(protocol).toBe(providerBProtocol);
      expect(method).toBe('POST');
      expect(select?.parameter).toBe('Action');
      expect(action).toBe(select?.value === 'CVSync2AsyncSubmitTask' ? 'video.create' : 'video.retrieve');
    }
  });
});
