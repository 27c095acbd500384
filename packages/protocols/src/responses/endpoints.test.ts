import { describe, expect, it } from 'vitest';
import { responsesEndpoints } from './endpoints.ts';
import { responsesProtocol } from './protocol.ts';

describe('responses endpoints', () => {
  it('have the paths that published clients call', () => {
    expect(responsesEndpoints.map(({ method, path, action }) => `${method} ${path} ${action}`)).toEqual([
      'POST /v1/responses responses.create',
      'POST /v1/responses/compact responses.compact',
      'POST /v1/responses/input_tokens responses.count-tokens',
      'GET /v1/responses responses.socket',
      'GET /v1/responses/:response_id responses.retrieve',
      'DELETE /v1/responses/:response_id responses.delete',
      'POST /v1/responses/:response_id/cancel responses.cancel',
      'GET /v1/responses/:response_id/input_items responses.input-items',
    ]);
  });

  it('use this protocol, with a Bearer key', () => {
    for (const endpoint of responsesEndpoints) {
      expect(endpoint.protocol).toBe(responsesProtocol);
      expect(endpoint.credentials).toContain('bearer');
    }
  });
});
