import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { hexFrom } from '../../jobs/job-id.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { formatGoogleError } from '../google-style/format-google-error.ts';
import { invalidArgument } from '../google-style/google-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { openMediaWire } from '../media/media-wire.ts';
import { renderOutput } from '../media/render-output.ts';
import { textIn } from '../media/text-in.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { readVeoParams } from './read-veo-params.ts';
import { veoOperation } from './veo-operation.ts';
import { checkVertexCredential } from '../vertex/access-token.ts';

const RESPONSE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';
const StorageUri = z
  .string()
  .regex(/^gs:\/\/[a-z0-9][\w.-]+(?:\/.+)?$/)
  .optional();
const Fields = z.record(z.string(), z.unknown()).catch({});

interface ModelPath {
  Params: { project: string; location: string; model: string };
}

/** Reads the parameters that only Vertex AI has. @throws WireError 400 */
function splitParameters(body: unknown): { storageUri: string | undefined; rest: unknown } {
  const { parameters, ...others } = Fields.parse(body);
  const { storageUri, generateAudio, ...known } = Fields.parse(parameters);
  const uri = StorageUri.safeParse(storageUri);
  if (!uri.success) throw invalidArgument('`storageUri` must be a URI of Cloud Storage.');
  if (generateAudio !== undefined && typeof generateAudio !== 'boolean') {
    throw invalidArgument('The value type for `generateAudio` needs to be a boolean.');
  }
  return { storageUri: uri.data, rest: { ...others, parameters: known } };
}

/** Serves Veo on Vertex AI. Finished videos are in the response, or in Cloud Storage if the request names a folder. */
export function registerVertexVeo(scope: FastifyInstance, text: TextVendor, vendor: MediaVendor): void {
  const { archive, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'vertex-veo',
    jobId: (unique) => hexFrom(unique).slice(0, 24),
    format: formatGoogleError,
    authenticate: (request) => checkVertexCredential(request, text),
    deferredChecks: ['moderation'],
  });
  const models = '/projects/:project/locations/:location/publishers/google/models/:model(^[^/]+)';

  function nameOf({ project, location, model }: ModelPath['Params'], { id }: Pick<MediaJob, 'id'>): string {
    return `projects/${project}/locations/${location}/publishers/google/models/${model}/operations/${id}`;
  }

  function videoAt(job: MediaJob, index: number): object {
    const mimeType = 'video/mp4';
    if (job.path !== undefined) return { gcsUri: `${job.path}/${job.id}/sample_${index}.mp4`, mimeType };
    return { bytesBase64Encoded: renderOutput(archive, job, index, 'mp4').bytes.toString('base64'), mimeType };
  }

  scope.post<ModelPath>(`${models}::predictLongRunning`, (request, reply) =>
    wire.submit(request, reply, {
      prompt: textIn(request.body, 'instances', 0, 'prompt'),
      read: () => {
        const { storageUri, rest } = splitParameters(request.body);
        const params = readVeoParams(request.params.model, rest);
        return storageUri === undefined ? params : { ...params, path: storageUri.replace(/\/$/, '') };
      },
      response: (job) => ({ name: nameOf(request.params, job) }),
    }),
  );

  scope.post<ModelPath>(`${models}::fetchPredictOperation`, (request, reply) => {
    const name = textIn(request.body, 'operationName');
    const job = wire.find(name.split('/').at(-1) ?? '', ({ model }) => model === request.params.model);
    if (name !== nameOf(request.params, job)) throw invalidArgument('`operationName` belongs to another model.');
    return wire.poll(job, reply, {
      response: () =>
        veoOperation(job, now(), {
          name,
          videos: (indexes) => ({ videos: indexes.map((index) => videoAt(job, index)) }),
          response: (output) => ({ '@type': RESPONSE, ...output }),
        }),
      garbled: () => ({ name, done: 'perhaps' }),
    });
  });
}
