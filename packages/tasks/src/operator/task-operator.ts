import type { MediaRequest, MediaTask, TaskStatus } from '@sluice/canonical';
import type { TimelineEntry } from '../store/timeline.ts';

/** Author of an action, recorded in the task's timeline. */
export interface OperatorAct {
  /** The operator's name. */
  by: string;
  note?: string;
}

export interface TaskSearch {
  /** Absent: all open tasks. */
  status?: TaskStatus | undefined;
  owner?: string | undefined;
  upstream?: string | undefined;
  /** The model id in the client's request. */
  model?: string | undefined;
  /** Only tasks created longer ago than this, milliseconds. */
  olderThanMs?: number;
  /** {@link FoundTasks.next} of the previous page. */
  after?: string | undefined;
  /** Tasks on the page, 1–100. */
  limit: number;
}

export interface FoundTasks {
  tasks: MediaTask[];
  /** Cursor of the next page; absent on the last one. A page may be short or empty and still have a next one. */
  next?: string;
}

/** A task with everything that is stored about it. */
export interface TaskDossier {
  /** Without fields of the request, such as the prompt. */
  task: MediaTask;
  timeline: TimelineEntry[];
  /** The client's request with its prompt, and images as URLs or keys of the content store. */
  request: MediaRequest;
}

export interface OperatorResult {
  task: MediaTask;
  /** False if the action was carried out before. */
  changed: boolean;
}

export interface AdoptedJob {
  upstreamJobId: string;
  /** `UpstreamJob.path`, for kinds of upstream that need one to find a job. */
  upstreamPath?: string;
  /** The job that was assigned by mistake and is to be replaced. */
  insteadOf?: string;
}

/**
 * Actions of operators on tasks of any owner. Each action is one checked move like those of the workers, is recorded in
 * the timeline, and may be sent twice. Final states stay.
 *
 * Every method throws `GatewayError`: `not_found`, `task_final` or `task_conflict` if the task's state does not allow
 * the action, and `store_unavailable` while Redis is away.
 */
export interface TaskOperator {
  /**
   * Lost submissions first, then the oldest tasks; final states newest first. @throws GatewayError `invalid_request`
   * for `after`
   */
  search(search: TaskSearch): Promise<FoundTasks>;
  show(id: string): Promise<TaskDossier>;
  /**
   * Assigns a vendor's job to a lost submission, and polling starts. A task that has failed as `submission_unknown`
   * stays failed, but its job is claimed. A wrong assignment can be replaced while the job is polled.
   */
  adopt(id: string, job: AdoptedJob, act: OperatorAct): Promise<OperatorResult>;
  /** Ends an open task. The client sees the reason. A job at the vendor continues. */
  fail(id: string, reason: string, act: OperatorAct): Promise<OperatorResult>;
  /**
   * Submits a lost submission again. If the vendor accepted the first one, both are generated and charged.
   * @param attempt the lost attempt; a repeat does nothing, even if the next attempt is lost too
   */
  resubmit(id: string, attempt: number, act: OperatorAct): Promise<OperatorResult>;
  /** Cancels a task like its client. */
  cancel(id: string, act: OperatorAct): Promise<OperatorResult>;
  /** Rebuilds the index of tasks by state. Returns the number of tasks. */
  reindex(): Promise<number>;
}
