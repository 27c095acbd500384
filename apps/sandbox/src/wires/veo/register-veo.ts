import { hexFrom } from '../../jobs/job-id.ts';
import type { FastifyInstance } from 'fastify';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { endOf, jobState, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';
import { checkGoogleKey, generativeError } from '../google-style/google-error.ts';
import { formatGoogleError } from '../google-style/format-google-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { openMediaWire } from '../media/media-wire.ts';
import { createResultUrls } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { readVeoParams } from './read-veo-params.ts';
import { operationName, veoOperation } from './veo-operation.ts';

const RESPONSE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
/** Google's docs: "Generated videos are stored on the server for 2 days". */
const RETENTION_MS = 48 * 3600 * 1000;
/** Lifetime of the URL to which a download redirects. */
const REDIRECT_LIFE = { lifeMs: 60_000, since: 'request' } as const;

export function registerVeo(scope: FastifyInstance, vendor: MediaVendor): void {
  const { ledger, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'veo',
    jobId: (unique) => hexFrom(unique).slice(0, 24),
    format: formatGoogleError,
    authenticate: (request) => checkGoogleKey(request, vendor.apiKey),
    // A moderated prompt is not rejected, but its operation ends without videos.
    deferredChecks: ['moderation'],
  });

  function isExpired(job: MediaJob): boolean {
    if (now() >= endOf(job) + RETENTION_MS || hasDirective(job.prompt, 'expire')) return true;
    return consumeDirective(ledger, 'expireOnce', job, job.id);
  }

  // In Fastify's paths, a double colon is a literal colon.
  scope.post<{ Params: { model: string } }>('/models/:model(^[^/]+)::predictLongRunning', (request, reply) =>
    wire.submit(request, reply, {
      prompt: textIn(request.body, 'instances', 0, 'prompt'),
      read: () => readVeoParams(request.params.model, request.body),
      response: (job) => ({ name: operationName(job) }),
    }),
  );

  scope.get<{ Params: { model: string; id: string } }>('/models/:model/operations/:id', (request, reply) => {
    const { model, id } = request.params;
    const job = wire.find(id, (other) => other.model === model);
    const uriOf = (index: number): string =>
      `${request.protocol}://${request.host}${scope.prefix}/files/${job.id}${index}:download?alt=media`;
    return wire.poll(job, reply, {
      response: () =>
        veoOperation(job, now(), {
          name: operationName(job),
          videos: (indexes) => ({ generatedSamples: indexes.map((index) => ({ video: { uri: uriOf(index) } })) }),
          response: (generateVideoResponse) => ({ '@type': RESPONSE, generateVideoResponse }),
        }),
      garbled: () => ({ name: operationName(job), done: 'perhaps', metadata: { state: 'NOT_START' } }),
    });
  });

  // Google redirects downloads too, and its samples follow redirects.
  scope.get<{ Params: { file: string } }>('/files/:file(^[a-z0-9]+)::download', (request, reply) => {
    const { file } = request.params;
    const job = ledger.find('veo', file.slice(0, -1));
    const index = Number(file.slice(-1));
    const state = job && jobState(job, now());
    if (job === undefined || state?.status !== 'completed' || !state.outputs.includes(index) || isExpired(job)) {
      throw generativeError(403, `You do not have permission to access the File ${file} or it may not exist.`);
    }
    const [url = ''] = createResultUrls(vendor, request, job, REDIRECT_LIFE, [{ index, kind: 'mp4' }]).urls;
    return reply.redirect(url);
  });
}
