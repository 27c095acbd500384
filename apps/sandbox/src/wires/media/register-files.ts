import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFile } from '../../http/send-file.ts';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { jobState } from '../../jobs/media-job.ts';
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

/** Serves results at signed, expiring URLs, as an object store does: without a key, and with errors in XML. */
export function registerFiles(app: FastifyInstance, vendor: MediaVendor): void {
  const { ledger, archive, apiKey, now } = vendor;

  app.route<FileCall>({
    method: ['GET', 'HEAD'],
    url: '/_files/:wire/:job/:file',
    exposeHeadRoute: false,
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
      const output = renderOutput(archive, job, Number(index), kind === 'png' ? 'png' : 'mp4');
      const cut = request.method === 'GET' && consumeDirective(ledger, 'cut', job, id);
      return sendFile(request, reply, output, cut);
    },
  });
}
