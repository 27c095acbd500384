import { describe, expect, it } from 'vitest';
import { responsesEndpoints, responsesProtocol } from './endpoints.ts';

describe('the routes of the responses protocol', () => {
  it('are those that published clients call', () => {
    expect(responsesEndpoints.map(({ method, path, action }) => `${method} ${path} ${action}`)).toEqual([
      'POST /v1/responses text.generate',
      'POST /v1/responses/compact text.compact',
      'POST /v1/responses/input_tokens text.count-tokens',
      'GET /v1/responses responses.socket',
      'GET /v1/responses/:response_id responses.retrieve',
      'DELETE /v1/responses/:response_id responses.delete',
      'POST /v1/responses/:response_id/cancel responses.cancel',
      'GET /v1/responses/:response_id/input_items responses.input-items',
    ]);
  });

  it('are of this protocol, for a Bearer key', () => {
    for (const endpoint of responsesEndpoints) {
      expect(endpoint.protocol).toBe(responsesProtocol);
      expect(endpoint.credentials).toContain('bearer');
    }
  });
});
