import type { FastifyInstance } from 'fastify';
import type { MediaJob } from '../../jobs/media-job.ts';
import { awsError } from '../aws/aws-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { renderOutput } from '../media/render-output.ts';
import type { FinishedState } from '../media/send-when-finished.ts';
import { textIn } from '../media/text-in.ts';
import { readImageRequest } from './image-request.ts';

const PARAMS = ['textToImageParams', 'imageVariationParams', 'inPaintingParams'];

/** Serves the image models of Amazon by `InvokeModel`. */
export function registerInvokeModel(scope: FastifyInstance, { archive }: MediaVendor, wire: MediaWire): void {
  function imagesResponse(job: MediaJob, state: FinishedState): object {
    if (state.status === 'failed') {
      if (state.cause === 'moderation') return { images: [], error: blocked('All') };
      throw awsError(424, 'ModelErrorException', 'The request failed due to an error while processing the model.');
    }
    const { outputs } = state;
    const images = outputs.map((index) => renderOutput(archive, job, index, 'png').bytes.toString('base64'));
    const isPartial = outputs.length > 0 && outputs.length < job.count;
    return { images, error: isPartial ? blocked('Some') : null };
  }

  // AWS's SDK sends this type if the caller sets none. Bedrock then assumes JSON.
  const parser = scope.getDefaultJsonParser('error', 'ignore');
  scope.addContentTypeParser<string>('application/octet-stream', { parseAs: 'string' }, parser);

  scope.post<{ Params: { model: string } }>('/model/:model/invoke', (request, reply) => {
    const { body, params } = request;
    return wire.submitAndWait(request, reply, {
      prompt: PARAMS.map((field) => textIn(body, field, 'text')).join(''),
      read: () => readImageRequest(body, params.model),
      body: imagesResponse,
      garbled: () => ({ state: 'NOT_START' }),
      isInline: () => true,
    });
  });
}

/** Amazon Nova user guide, "Error handling". */
function blocked(which: 'All' | 'Some'): string {
  return `${which} of the generated images have been blocked by our content filters.`;
}
