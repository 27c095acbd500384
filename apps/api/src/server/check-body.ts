import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance } from 'fastify';
import type { FormLimits } from '../http/form-limits.ts';

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
      return done(new GatewayError('unsupported_media_type', 'Send the body without a Content-Encoding.'));
    }
    const max = /^multipart\//i.test(type) ? limits.upload_bytes : limits.json_bytes;
    if (Number(length ?? 0) > max) {
      const message = `The body must be at most ${max} bytes.`;
      return done(new GatewayError('payload_too_large', message));
    }
    if (expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    done();
  });
}
