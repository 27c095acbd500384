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

  it('create or retrieve as their action says, in one protocol', () => {
    for (const { select, action, protocol, method } of providerBEndpoints) {
      expect(protocol).toBe(providerBProtocol);
      expect(method).toBe('POST');
      expect(select?.parameter).toBe('Action');
      expect(action).toBe(select?.value === 'CVSync2AsyncSubmitTask' ? 'video.create' : 'video.retrieve');
    }
  });
});
