import type {
  CancelOutcome,
  ContentOutcome,
  FindOutcome,
  MediaCapability,
  MediaSubmission,
  IndexedOutput,
  PollOutcome,
  SubmitOutcome,
  UpstreamJob,
} from '@sluice/canonical';

/** A vendor with scripted responses that counts its calls. */
export interface ScriptedVendor extends MediaCapability {
  submissions: Map<string, number>; // The number of submissions, keyed by task id.
  polls: Map<string, number>; // The number of polls, keyed by task id.
  canceled: string[];
  /** The current and the maximum number of running jobs. */
  running: { now: number; max: number };
  script: {
    submit?: (submission: MediaSubmission) => SubmitOutcome | undefined | Promise<SubmitOutcome | undefined>;
    poll?: (job: UpstreamJob, count: number) => PollOutcome | undefined | Promise<PollOutcome | undefined>;
    content?: (
      job: UpstreamJob,
      output: IndexedOutput,
    ) => ContentOutcome | undefined | Promise<ContentOutcome | undefined>;
    find?: (submission: MediaSubmission) => FindOutcome | Promise<FindOutcome>;
    cancel?: (job: UpstreamJob) => CancelOutcome | Promise<CancelOutcome>;
  };
}

/** The shortest content that is recognized as MP4. */
export const TINY_MP4: Uint8Array = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2avc1', 'latin1');

/** The shortest content that is recognized as PNG. */
export const TINY_PNG: Uint8Array = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

/** By default, the vendor accepts every submission, completes jobs at the second poll, and returns {@link TINY_MP4}. */
export function scriptedVendor(script: ScriptedVendor['script'] = {}): ScriptedVendor {
  const vendor: ScriptedVendor = {
    baseUrl: 'http://vendor.test/v1',
    account: 'vendor',
    submissions: new Map(),
    polls: new Map(),
    canceled: [],
    running: { now: 0, max: 0 },
    script,
    async submit(submission) {
      const count = raise(vendor.submissions, submission.taskId);
      const scripted = await script.submit?.(submission);
      if (scripted) return scripted;
      vendor.running.now += 1;
      vendor.running.max = Math.max(vendor.running.max, vendor.running.now);
      return { kind: 'accepted', upstreamId: `up_${submission.taskId}_${count}` };
    },
    async poll(job) {
      const count = raise(vendor.polls, job.taskId);
      const scripted = await script.poll?.(job, count);
      if (scripted) return scripted;
      if (count === 2) vendor.running.now -= 1;
      return count < 2 ? { kind: 'running', progress: 50 } : { kind: 'succeeded', seconds: '4', size: '320x176' };
    },
    review: () => ({}),
    async openContent(job, output) {
      const scripted = await script.content?.(job, output);
      return scripted ?? { kind: 'opened', body: bytes(TINY_MP4), bytes: TINY_MP4.byteLength };
    },
  };
  const { find, cancel } = script;
  if (find) vendor.find = async (submission) => find(submission);
  if (cancel) {
    vendor.cancel = async (job) => {
      vendor.canceled.push(job.taskId);
      return cancel(job);
    };
  }
  return vendor;
}

function raise(counts: Map<string, number>, id: string): number {
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  return count;
}

async function* bytes(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
