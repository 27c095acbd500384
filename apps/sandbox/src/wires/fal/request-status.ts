import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';

/** URLs contain only the owner and the alias of an endpoint (`parseEndpointId`, @fal-ai/client 1.10.1). */
export function requestUrls(base: string, job: MediaJob) {
  const url = `${base}/${job.path ?? ''}/requests/${job.id}`;
  return { response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

interface StatusParams {
  urls: ReturnType<typeof requestUrls>;
  ahead: number;
  logs: boolean;
}

function logsOf(job: MediaJob, now: number): object[] {
  const state = jobState(job, now);
  return [{ message: `${state.progress}%`, level: 'INFO', source: 'USER', timestamp: new Date(now).toISOString() }];
}

/**
 * Formats a status (fal docs, "Asynchronous Inference"). A failed request is also COMPLETED; only its result contains
 * the error. `error_type` is set if fal itself ended the request.
 */
export function requestStatus(job: MediaJob, now: number, { urls, ahead, logs }: StatusParams): object {
  const state = jobState(job, now);
  const common = { request_id: job.id, ...urls };
  const output = { logs: logs ? logsOf(job, now) : null };
  switch (state.status) {
    case 'queued':
      return { status: 'IN_QUEUE', ...common, queue_position: ahead };
    case 'in_progress':
      return { status: 'IN_PROGRESS', ...common, ...output };
    case 'completed':
    case 'failed': {
      const metrics = { inference_time: Math.max(0, state.completedAt - startOf(job)) / 1000 };
      const error = { error: 'Request was cancelled', error_type: 'client_cancelled' };
      return { status: 'COMPLETED', ...common, ...output, metrics, ...(job.canceledAt !== undefined && error) };
    }
  }
}
