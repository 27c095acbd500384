import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { unixSeconds } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { openMediaWire } from '../media/media-wire.ts';
import type { MediaParams } from '../media/media-params.ts';
import { textIn } from '../media/text-in.ts';
import { incorrectKey } from '../openai-style/format-openai-fault.ts';
import { readEdit, readGeneration } from './image-params.ts';
import { imagesResponse, isInline } from './images-response.ts';
import { readImageForm } from './read-image-form.ts';
import { generationFailed, formatImagesError } from './format-images-error.ts';

/** "each image should be a png, webp, or jpg file less than 50MB. You can provide up to 16 images" (openai 7.55.0). */
const FORM_LIMITS = { fileSize: 50 * 1024 ** 2, fieldSize: 1024 ** 2, files: 32, parts: 128 };

export async function registerImages(scope: FastifyInstance, vendor: MediaVendor): Promise<void> {
  await scope.register(multipart, { limits: FORM_LIMITS });
  const wire = openMediaWire(scope, vendor, {
    wire: 'images',
    format: formatImagesError,
    hasLag: false,
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) throw incorrectKey();
    },
  });

  function generate(request: FastifyRequest, reply: FastifyReply, body: unknown, read: () => MediaParams) {
    return wire.submitAndWait(request, reply, {
      prompt: textIn(body, 'prompt'),
      read,
      body(job, state) {
        if (state.status === 'failed') throw generationFailed(state.cause);
        return imagesResponse(vendor, request, job, state.outputs);
      },
      garbled: ({ createdAt }) => ({ created: unixSeconds(createdAt), status: 'NOT_START', output: [] }),
      isInline,
    });
  }

  scope.post('/generations', (request, reply) =>
    generate(request, reply, request.body, () => readGeneration(request.body)),
  );

  scope.post('/edits', async (request, reply) => {
    const form = await readImageForm(request);
    return generate(request, reply, form.fields, () => readEdit(form));
  });
}
