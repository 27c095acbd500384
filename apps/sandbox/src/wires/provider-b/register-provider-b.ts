import { digitsFrom } from '../../jobs/job-id.ts';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { openMediaWire } from '../media/media-wire.ts';
import { outputKind, renderOutput } from '../media/render-output.ts';
import { outputUrlsOf } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { checkVolcSignature } from './check-volc-signature.ts';
import { invalidInput, jimengResponse, formatJimengError } from './jimeng-error.ts';
import { type JimengFiles, jimengResult, readJimengRequest } from './jimeng-result.ts';
import { readJimengParams } from './jimeng-params.ts';
import { volcError } from './volc-error.ts';

const VERSION = '2022-08-31';
const HOUR_MS = 3600 * 1000;
/** Source of these lifetimes: Jimeng docs. */
const URL_LIFE_MS = { video: HOUR_MS, image: 24 * HOUR_MS };

interface VolcCall {
  Querystring: { Action?: unknown; Version?: unknown };
}

function actionOf({ Action, Version }: VolcCall['Querystring']): 'submit' | 'poll' {
  for (const [name, value] of Object.entries({ Action, Version })) {
    if (typeof value !== 'string' || value === '') {
      throw volcError(400, 'MissingParameter', 100_002, `The request is missing ${name} parameter.`);
    }
  }
  if (Version === VERSION && Action === 'CVSync2AsyncSubmitTask') return 'submit';
  if (Version === VERSION && Action === 'CVSync2AsyncGetResult') return 'poll';
  throw formatJimengError('unknown_call', `${String(Action)} for version ${String(Version)}`);
}

/** Serves Jimeng (Volcengine's visual service). It has one path, two actions, and signatures instead of a key. */
export function registerProviderB(scope: FastifyInstance, vendor: MediaVendor): void {
  const { accessKey, apiKey: secretKey, archive, now } = vendor;
  const wire = openMediaWire(scope, vendor, { wire: 'provider-b', format: formatJimengError, jobId: digitsFrom });

  // The signature covers the raw bytes of the body.
  scope.addHook<VolcCall>('preParsing', async (request, _reply, payload) => {
    actionOf(request.query);
    const body = await buffer(payload);
    const { method, url, headers } = request;
    const account = { accessKey, secretKey, region: 'cn-north-1', service: 'cv', now: now() };
    checkVolcSignature({ method, url, headers, body }, account);
    return Readable.from([body], { objectMode: false });
  });

  function filesOf(request: FastifyRequest, job: MediaJob): JimengFiles {
    const life = { lifeMs: URL_LIFE_MS[job.kind], since: 'end' } as const;
    return {
      urls: outputUrlsOf(vendor, request, job, life),
      base64: (outputs) =>
        outputs.map((index) => renderOutput(archive, job, index, outputKind(job)).bytes.toString('base64')),
    };
  }

  function submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return wire.submit(request, reply, {
      prompt: textIn(request.body, 'prompt'),
      read: () => readJimengParams(request.body),
      response: ({ id }) => jimengResponse(request.id, 10_000, 'Success', { task_id: id }),
    });
  }

  function poll(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { reqKey, taskId, withUrls } = readJimengRequest(request.body);
    const job = wire.find(taskId);
    if (job.model !== reqKey) throw invalidInput('req_key', 'is not the one of this task');
    const success = (data: object): object => jimengResponse(request.id, 10_000, 'Success', data);
    return wire.poll(job, reply, {
      response: () => success(jimengResult(job, now(), withUrls, filesOf(request, job))),
      garbled: () => success({ status: 'transcoding' }),
    });
  }

  scope.post<VolcCall>('/', (request, reply) =>
    actionOf(request.query) === 'submit' ? submit(request, reply) : poll(request, reply),
  );
}
