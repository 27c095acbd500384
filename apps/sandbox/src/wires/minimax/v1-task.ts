import { createHash } from 'node:crypto';
import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';
import { SUCCESS } from './v1-error.ts';

/** 15 digits, so that the id is a safe integer in JavaScript. */
export function fileIdOf({ id }: MediaJob): string {
  const number = createHash('sha256').update(`file ${id}`).digest().readUIntBE(0, 6);
  return String(10 ** 14 + (number % (9 * 10 ** 14)));
}

/** The vendor has no code for an unspecified failure. */
const FAILURES = {
  error: SUCCESS,
  moderation: { status_code: 1027, status_msg: 'video generated contains sensitive content' },
};

/** Clients fetch the output by its `file_id`, which is empty with `[nothing]`. */
export function v1Task(job: MediaJob, now: number): Record<string, unknown> {
  const state = jobState(job, now);
  const common = { task_id: job.id, file_id: '', base_resp: SUCCESS };
  switch (state.status) {
    case 'queued':
      return { ...common, status: now < startOf(job) ? 'Queueing' : 'Preparing' };
    case 'in_progress':
      return { ...common, status: 'Processing' };
    case 'failed':
      return { ...common, status: 'Fail', base_resp: FAILURES[state.cause] };
    case 'completed': {
      const { width: video_width, height: video_height } = job;
      const file_id = state.outputs.length === 0 ? '' : fileIdOf(job);
      return { ...common, status: 'Success', file_id, video_width, video_height };
    }
  }
}
