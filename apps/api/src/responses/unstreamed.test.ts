import { readTextRequest, responsesProtocol } from '@sluice/protocols';
import { expect, it } from 'vitest';
import { unstreamed } from './unstreamed.ts';

it('returns a copy of a streamed request as a buffered one', () => {
  const body = { model: 'm', input: 'hi', stream: true, metadata: { stream: 'true' } };
  const request = readTextRequest(responsesProtocol, Buffer.from(JSON.stringify(body)));
  const { stream: _stream, ...rest } = body;
  expect(unstreamed(request)).toMatchObject({ stream: false, model: 'm' });
  expect(unstreamed(request).body()).toEqual(rest);
  expect(request.stream).toBe(true);
  expect(request.body()).toEqual(body);
});
