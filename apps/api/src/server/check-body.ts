import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance } from 'fastify';
import { bodyTooLarge, type FormLimits } from '../http/form-limits.ts';
import { ACCEPTED_ENCODINGS, canInflate, inflateBody } from './inflate-body.ts';

/**
 * Checks a body before a client that sends `Expect: 100-continue` (curl does for large bodies) gets 100 Continue, and
 * decompresses it.
 */
export function checkBodies(app: FastifyInstance, limits: FormLimits): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) return done();
    const { 'content-type': type = '', 'content-length': length, expect } = request.headers;
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const isForm = /^multipart\//i.test(type);
    if (encoding !== 'identity' && (isForm || !canInflate(encoding))) {
      void reply.header('accept-encoding', isForm ? 'identity' : ACCEPTED_ENCODINGS);
      return done(unsupportedEncoding(isForm));
    }
    const max = isForm ? limits.upload_bytes : limits.json_bytes;
    if (Number(length ?? 0) > max) return done(bodyTooLarge(max));
    if (expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    if (encoding === 'identity') return done();
    done(null, inflateBody(payload, encoding, Math.min(max, request.routeOptions.bodyLimit)));
  });
}

function unsupportedEncoding(isForm: boolean): GatewayError {
  const what = isForm
    ? 'Compressed forms are not supported. Send the form without `Content-Encoding`.'
    : 'The `Content-Encoding` is not supported. Use `gzip`, `br`, or `zstd`, or send the body uncompressed.';
  return new GatewayError('unsupported_media_type', what);
}
