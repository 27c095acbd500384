import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import type { TextVendor } from '../../text/text-vendor.ts';
import { authenticateAws } from './authenticate-aws.ts';

type Register = (scope: FastifyInstance, vendor: TextVendor) => void | Promise<void>;

/**
 * Serves an API of another vendor at Bedrock, where requests can also be signed with Signature Version 4. The signature
 * covers the body, so the API key is first assumed, and the signature is checked when the body has arrived.
 */
export function withSignatures(register: Register): Register {
  return (scope, vendor) => {
    const received = new WeakMap<object, NodeJS.Dict<string | string[]>>();
    scope.addHook('onRequest', async (request) => {
      const { headers } = request;
      if (!headers.authorization?.startsWith('AWS4-')) return;
      received.set(request, { ...headers });
      headers.authorization = `Bearer ${vendor.apiKey}`;
    });
    scope.addHook('preParsing', async (request, _reply, payload) => {
      const headers = received.get(request);
      if (!headers) return payload;
      const body = await buffer(payload);
      authenticateAws({ method: request.method, url: request.url, headers, body }, 'bedrock', vendor);
      return Readable.from([body], { objectMode: false });
    });
    return register(scope, vendor);
  };
}
