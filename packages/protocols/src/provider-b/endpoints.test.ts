import { ERROR_STATUS, type ErrorCode, GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { providerBEndpoints, providerBProtocol } from './endpoints.ts';

describe('provider-b endpoints', () => {
  it('are two actions at each path, each with its own operation id', () => {
    const actual = providerBEndpoints.map(({ path, select, operationId }) => `${path} ${select?.value} ${operationId}`);
    expect(actual).toEqual([
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

  it('name the model field as Volcengine does', () => {
    expect(providerBProtocol.fieldNames.model).toBe('req_key');
  });

  it("respond with 400 to an unknown model, and with the error's own status otherwise", () => {
    const { statusOfError } = providerBProtocol;
    const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is safe because all keys are error codes.
    const actual = codes.map((code) => [code, statusOfError?.(new GatewayError(code, 'x'))]);
    expect(Object.fromEntries(actual)).toEqual({ ...ERROR_STATUS, model_not_found: 400 });
  });

  it('create or retrieve according to their action, in one protocol', () => {
    for (const { select, action, protocol, method } of providerBEndpoints) {
      expect(protocol).toBe(providerBProtocol);
      expect(method).toBe('POST');
      expect(select?.parameter).toBe('Action');
      expect(action).toBe(select?.value === 'CVSync2AsyncSubmitTask' ? 'video.create' : 'video.retrieve');
    }
  });
});
