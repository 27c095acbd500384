import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '../../http/send-file.ts';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import { CUT_DOWNLOADS, hasDirective, MEDIA_DIRECTIVES } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';
import { renderOutput } from './render-output.ts';
import { isSigned } from './url-signature.ts';

interface FileCall {
  Params: { wire: string; job: string; file: string };
  Querystring: { expires?: unknown; signature?: unknown };
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return reply.code(status).type('application/xml').send(text);
}

/**
 * Serves results under signed, expiring URLs, like an object store: no key, 403 in XML for a bad signature or expiry.
 */
export function registerFiles(app: FastifyInstance, vendor: MediaVendor): void {
  const { ledger, archive, apiKey, now } = vendor;

  function cuts(request: FastifyRequest, job: MediaJob): boolean {
    if (request.method !== 'GET' || !hasDirective(job.prompt, 'cut')) return false;
    return ledger.consumeFault(job.wire, job.id, MEDIA_DIRECTIVES.cut.word, CUT_DOWNLOADS);
  }

  app.route<FileCall>({
    method: ['GET', 'HEAD'],
    url: '/_files/:wire/:job/:file',
    exposeHeadRoute: false,
    // Fastify's name for a route's handler.
    handler(request, reply) {
      const { wire, job: id, file } = request.params;
      const { expires, signature } = request.query;
      const [path = ''] = request.url.split('?');
      if (typeof expires !== 'string' || typeof signature !== 'string') {
        return refuse(reply, 403, 'AccessDenied', 'Access Denied');
      }
      if (!isSigned(apiKey, path, expires, signature)) {
        return refuse(reply, 403, 'SignatureDoesNotMatch', 'The signature does not match the one that was calculated.');
      }
      if (now() >= Number(expires)) return refuse(reply, 403, 'AccessDenied', 'Request has expired');
      const job = ledger.find(wire, id);
      const [, index, kind] = /^(\d+)\.(mp4|png)$/.exec(file) ?? [];
      if (job === undefined || index === undefined || jobState(job, now()).status !== 'completed') {
        return refuse(reply, 404, 'NoSuchKey', 'The specified key does not exist.');
      }
      const made = renderOutput(archive, job, Number(index), kind === 'png' ? 'png' : 'mp4');
      return sendFile(request, reply, made, cuts(request, job));
    },
  });
}
