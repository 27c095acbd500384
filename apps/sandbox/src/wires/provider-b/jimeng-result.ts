import { z } from 'zod';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import { checkBody } from '../../schema/check-body.ts';
import { parseJson } from '../../schema/json.ts';
import { invalidInput, jimengError } from './jimeng-error.ts';

const ReqJson = z.looseObject({ return_url: z.boolean().default(false) });

const TextRequest = z.object({
  req_key: z.string(),
  // A string, because it has more digits than a JavaScript number can represent.
  task_id: z.string(),
  req_json: z.string().optional(),
});

export interface JimengFiles {
  urls: (outputs: readonly number[]) => string[];
  base64: (outputs: readonly number[]) => string[];
}

const RETENTION_MS = 12 * 3600 * 1000;

/**
 * `req_json` is an object encoded as a JSON string.
 * @throws WireError 50215 with the name of an invalid field.
 */
export function readJimengRequest(body: unknown) {
  const request = checkBody(TextRequest, body, ({ field, message }) => invalidInput(field, message));
  const { return_url: withUrls } = checkBody(ReqJson, parseJson(request.req_json || '{}'), () =>
    invalidInput('req_json', 'must be a JSON object, as text'),
  );
  return { reqKey: request.req_key, taskId: request.task_id, withUrls };
}

/** @throws WireError with the error's code if the job failed. */
export function jimengResult(job: MediaJob, now: number, withUrls: boolean, files: JimengFiles): object {
  if (now - job.createdAt >= RETENTION_MS) return { status: 'expired' };
  const state = jobState(job, now);
  switch (state.status) {
    case 'queued':
      return { status: 'in_queue' };
    case 'in_progress':
      return { status: 'generating' };
    case 'failed': {
      // A failed job also has the status `done`. Only the outer `code` shows the failure (Jimeng docs, `status`).
      if (state.cause === 'error') throw jimengError(500, 50_501, 'Internal RPC Error', { status: 'done' });
      if (job.kind === 'video') throw jimengError(400, 50_516, 'Post Video Risk Not Pass');
      throw jimengError(400, 50_511, 'Post Img Risk Not Pass');
    }
    case 'completed': {
      const { outputs } = state;
      const filesOf = (read: JimengFiles['urls']): string[] | null => (outputs.length === 0 ? null : read(outputs));
      if (job.kind === 'video') {
        return { status: 'done', video_url: filesOf(files.urls)?.[0] ?? '', resp_data: '', aigc_meta_tagged: false };
      }
      const [image_urls, binary_data_base64] = withUrls ? [filesOf(files.urls), null] : [null, filesOf(files.base64)];
      return { status: 'done', image_urls, binary_data_base64 };
    }
  }
}
