import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';

/** Where a request's calls are, on the host that the caller has reached. */
export interface RequestUrls {
  response_url: string;
  status_url: string;
  cancel_url: string;
}

/** Only owner and alias are in them, whatever the endpoint was (`parseEndpointId`, @fal-ai/client 1.10.1). */
export function requestUrls(base: string, job: MediaJob): RequestUrls {
  const url = `${base}/${job.path ?? ''}/requests/${job.id}`;
  return { response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

/** How a request is told of. */
interface StatusParams {
  urls: RequestUrls;
  /** How many requests are before it in the queue. */
  ahead: number;
  /** Whether the caller wants to see what the runner says. */
  logs: boolean;
}

function logsOf(job: MediaJob, now: number): object[] {
  const state = jobState(job, now);
  return [{ message: `${state.progress}%`, level: 'INFO', source: 'USER', timestamp: new Date(now).toISOString() }];
}

/**
 * Spells how a request stands (fal docs, "Asynchronous Inference", status). A failed one is COMPLETED too, and only its
 * result tells; what fal itself has ended has an `error_type` as well.
 */
export function requestStatus(job: MediaJob, now: number, { urls, ahead, logs }: StatusParams): object {
  const state = jobState(job, now);
  const common = { request_id: job.id, ...urls };
  const said = { logs: logs ? logsOf(job, now) : null };
  switch (state.status) {
    case 'queued':
      return { status: 'IN_QUEUE', ...common, queue_position: ahead };
    case 'in_progress':
      return { status: 'IN_PROGRESS', ...common, ...said };
    case 'completed':
    case 'failed': {
      const metrics = { inference_time: Math.max(0, state.completedAt - startOf(job)) / 1000 };
      const error = { error: 'Request was cancelled', error_type: 'client_cancelled' };
      return { status: 'COMPLETED', ...common, ...said, metrics, ...(job.canceledAt !== undefined && error) };
    }
  }
}
