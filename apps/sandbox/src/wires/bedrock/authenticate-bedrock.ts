import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { authenticateAws } from '../aws/authenticate-aws.ts';
import { awsError } from '../aws/aws-error.ts';

/** Accepts a Bedrock API key, or a request signed with Signature Version 4. */
export function authenticateBedrock(scope: FastifyInstance, vendor: TextVendor): void {
  // The signature covers the raw bytes of the body.
  scope.addHook('preParsing', async (request, _reply, payload) => {
    const body = await buffer(payload);
    const { method, url, headers } = request;
    if (/^bearer /i.test(headers.authorization ?? '')) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) {
        throw awsError(403, 'AccessDeniedException', 'Authentication failed: API key is not valid.');
      }
    } else {
      authenticateAws({ method, url, headers, body }, 'bedrock', vendor);
    }
    return Readable.from([body], { objectMode: false });
  });
}
