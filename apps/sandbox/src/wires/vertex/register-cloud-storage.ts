import type { FastifyInstance } from 'fastify';
import { openScope } from '../../http/open-scope.ts';
import { jobState } from '../../jobs/media-job.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { generativeError } from '../google-style/google-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { renderOutput } from '../media/render-output.ts';
import { checkToken } from './access-token.ts';

/** Serves the objects that Veo wrote, as Cloud Storage does (JSON API, `objects.get` with `alt=media`). */
export function registerCloudStorage(scope: FastifyInstance, text: TextVendor, media: MediaVendor): void {
  const { ledger, archive, now } = media;
  openScope(scope, {
    requestIdHeader: 'x-guploader-uploadid',
    authenticate: (request) => void checkToken(request, text),
    formatHttpError: (status, message) => generativeError(status, message),
  });

  scope.get<{ Params: { bucket: string; name: string } }>('/b/:bucket/o/:name', (request, reply) => {
    const { bucket, name } = request.params;
    const [, folder, id, index] = /^(.*)\/([0-9a-f]{24})\/sample_(\d)\.mp4$/.exec(`/${name}`) ?? [];
    const job = id === undefined ? undefined : ledger.find('vertex-veo', id);
    if (job?.path !== `gs://${bucket}${folder}` || jobState(job, now()).status !== 'completed') {
      throw generativeError(404, `No such object: ${bucket}/${name}`);
    }
    const { bytes, mediaType } = renderOutput(archive, job, Number(index), 'mp4');
    return reply.type(mediaType).send(bytes);
  });
}
