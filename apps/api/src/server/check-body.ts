import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance } from 'fastify';
import { bodyTooLarge, type FormLimits } from '../http/form-limits.ts';

/** Checks a body before a client that sends `Expect: 100-continue` (curl does for large bodies) gets 100 Continue. */
export function checkBodies(app: FastifyInstance, limits: FormLimits): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.is404) return done();
    const {
      'content-encoding': encoding,
      'content-type': type = '',
      'content-length': length,
      expect,
    } = request.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      const what = 'Compressed bodies are not supported. Send the body without `Content-Encoding`.';
      return done(new GatewayError('unsupported_media_type', what));
    }
    const max = /^multipart\//i.test(type) ? limits.upload_bytes : limits.json_bytes;
    if (Number(length ?? 0) > max) return done(bodyTooLarge(max));
    if (expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    done();
  });
}
