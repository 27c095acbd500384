import type {
  ImageCapability,
  ImageRequest,
  MadeOutput,
  MediaCapability,
  MediaRequest,
  MediaSubmission,
  UpstreamJob,
  VideoCapability,
  VideoRequest,
} from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { until } from './local-server.ts';

/** What a vendor does with the next calls. Each subject spells it on its own wire. */
export type VendorBehavior =
  /** Takes submissions, with `id`. */
  | { behavior: 'accepts'; id: string }
  /** Refuses the request for good, for the reason given. */
  | { behavior: 'refuses'; reason: string }
  | { behavior: 'moderates' }
  | { behavior: 'is busy'; retryAfterSeconds: number }
  | { behavior: 'refuses the credential' }
  | { behavior: 'has no balance' }
  /** Reads the whole request, then breaks the connection. */
  | { behavior: 'loses the answer' }
  /** Reads the whole request, then says nothing. */
  | { behavior: 'hangs' }
  | { behavior: 'answers 500' }
  /** Answers success with something that is no job. */
  | { behavior: 'talks garbage' }
  | { behavior: 'runs'; progress: number }
  | { behavior: 'has finished'; content: string }
  | { behavior: 'has failed'; reason: string }
  | { behavior: 'knows no such job' }
  /** Says a status that nobody has heard of. */
  | { behavior: 'says a strange word' }
  /** Starts to send the file and breaks off. */
  | { behavior: 'cuts the content' }
  | { behavior: 'has let the content expire' };

/** A vendor on a real port, and what a test does with it. */
interface Stage {
  setBehavior(behavior: VendorBehavior): void;
  /** Submissions that have reached the vendor. */
  submissions(): number;
  /** Makes the vendor's port refuse connections. */
  shutDown(): Promise<void>;
  /** Words that no outcome may hold: key, host, ids. */
  secrets: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A stage with the capability under test, pointed at the vendor. */
export interface ContractStage extends Stage {
  video: VideoCapability;
}

/** The same for a kind that makes images. */
export interface ImageContractStage extends Stage {
  image: ImageCapability;
}

/** A kind of upstream that keeps the contract. */
export interface ContractSubject<S extends Stage = ContractStage> {
  kind: string;
  /** A name that a model of this vendor can have; default `model-a`. */
  model?: string;
  /** Whether the vendor tells how far a job is; default yes. */
  reportsProgress?: boolean;
  /** Whether the vendor's own words for a failure are fit for clients; default yes. */
  reportsReason?: boolean;
  /** Whether the vendor refuses content before it accepts a job, not only after; default yes. */
  refusesContent?: boolean;
  /** `timeoutMs`: the kind's own limit for one call. */
  setStage(timeoutMs: number): Promise<S>;
}

/** A kind that makes images and keeps the contract. */
export interface ImageContractSubject extends ContractSubject<ImageContractStage> {
  /** What the mood `accepts` makes: for kinds that answer with the image itself and keep nothing to be asked for. */
  made?: MadeOutput[];
}

const SUBMISSION: MediaSubmission<VideoRequest> = {
  taskId: 'video_contract',
  model: 'model-a',
  request: { kind: 'video', prompt: 'a red kite', images: [] },
  images: [],
  reference: 'video_contract-1',
  submittedAt: 1_767_323_045_000,
};
const IMAGE_SUBMISSION: MediaSubmission<ImageRequest> = {
  ...SUBMISSION,
  taskId: 'image_contract',
  request: { kind: 'image', prompt: 'a red kite', images: [], delivery: 'url' },
  reference: 'image_contract-1',
};
const NEVER = new AbortController().signal;

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The suite that every kind of upstream with videos must pass. */
export function describeVideoContract(subject: ContractSubject): void {
  describeContract({ ...subject, params: SUBMISSION, capability: ({ video }) => video });
}

/** The suite that every kind of upstream with images must pass; of synchronous ones, what there is to be submitted. */
export function describeImageContract(subject: ImageContractSubject): void {
  const kind = `${subject.kind}, images`;
  describeContract({ ...subject, kind, params: IMAGE_SUBMISSION, capability: ({ image }) => image });
}

/** A subject, what is submitted to it, and what of its stage is under test. */
interface Subject<S extends Stage, R extends MediaRequest> extends ContractSubject<S> {
  params: MediaSubmission<R>;
  capability(stage: S): MediaCapability<R>;
  made?: MadeOutput[];
}

function describeContract<S extends Stage, R extends MediaRequest>(subject: Subject<S, R>): void {
  const { made } = subject;
  const params = { ...subject.params, model: subject.model ?? subject.params.model };
  type Play = (stage: Stage, capability: MediaCapability<R>, job: UpstreamJob) => Promise<void>;
  const staged = async (behavior: VendorBehavior, play: Play, timeoutMs = 10_000) => {
    const stage = await subject.setStage(timeoutMs);
    try {
      stage.setBehavior(behavior);
      const capability = subject.capability(stage);
      const { taskId, model } = params;
      const { baseUrl } = capability;
      await play(stage, capability, {
        taskId,
        model,
        baseUrl,
        upstreamId: 'up_contract_77',
        acceptedAt: Date.now(),
      });
    } finally {
      await stage[Symbol.asyncDispose]();
    }
  };
  const submits = (behavior: VendorBehavior, expected: object, timeoutMs?: number) =>
    staged(
      behavior,
      async (stage, capability) => {
        const outcome = await capability.submit(params, NEVER);
        expect(outcome).toMatchObject(expected);
        expect(stage.submissions()).toBe(1);
        if (outcome.kind !== 'accepted' && outcome.kind !== 'made') {
          expect(outcome.message.length).toBeLessThanOrEqual(300);
          for (const secret of stage.secrets) expect(outcome.message).not.toContain(secret);
        }
      },
      timeoutMs,
    );
  const polls = (behavior: VendorBehavior, expected: object, timeoutMs?: number) =>
    staged(
      behavior,
      async (_stage, capability, job) => expect(await capability.poll(job, NEVER)).toMatchObject(expected),
      timeoutMs,
    );

  describe(`${subject.kind}: a submission is sent once and is`, () => {
    const accepted = made ? { kind: 'made', outputs: made } : { kind: 'accepted', upstreamId: 'up_9' };
    it('accepted with the id, or made', () => submits({ behavior: 'accepts', id: 'up_9' }, accepted));
    it('rejected with the vendor’s reason, sanitised', () =>
      submits(
        { behavior: 'refuses', reason: 'Bad size, see https://vendor.example/help?key=1' },
        { kind: 'rejected', code: 'invalid_request', message: 'Bad size, see [link]' },
      ));
    if (subject.refusesContent !== false) {
      it('rejected for its content', () =>
        submits({ behavior: 'moderates' }, { kind: 'rejected', code: 'content_policy' }));
    }
    it('put off, as long as the vendor says', () =>
      submits(
        { behavior: 'is busy', retryAfterSeconds: 7 },
        { kind: 'busy', code: 'rate_limited', retryAfterMs: 7000 },
      ));
    it('passed to another account when the credential is refused', () =>
      submits({ behavior: 'refuses the credential' }, { kind: 'account', code: 'provider_auth' }));
    it('passed to another account when there is no balance', () =>
      submits({ behavior: 'has no balance' }, { kind: 'account', code: 'provider_quota' }));
    it('unknown when the answer is lost', () => submits({ behavior: 'loses the answer' }, { kind: 'unknown' }));
    it('unknown when no answer comes', () => submits({ behavior: 'hangs' }, { kind: 'unknown' }, 300));
    it('unknown after a server error', () => submits({ behavior: 'answers 500' }, { kind: 'unknown' }));
    it('unknown after a success without what was asked for', () =>
      submits({ behavior: 'talks garbage' }, { kind: 'unknown' }));

    it('put off when the vendor cannot be reached', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        await stage.shutDown();
        expect(await capability.submit(params, NEVER)).toMatchObject({ kind: 'busy', code: 'provider_error' });
      }));
    it('put off when it was stopped before it began', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        expect(await capability.submit(params, AbortSignal.abort())).toMatchObject({ kind: 'busy' });
        expect(stage.submissions()).toBe(0);
      }));
    it('unknown when it was stopped on the way', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        const stop = new AbortController();
        const submitting = capability.submit(params, stop.signal);
        await until(() => stage.submissions() > 0);
        stop.abort();
        expect(await submitting).toMatchObject({ kind: 'unknown' });
      }));
  });

  if (made) return;

  describe(`${subject.kind}: a poll`, () => {
    it('tells that the job runs, and how far it is where the vendor says so', () =>
      polls(
        { behavior: 'runs', progress: 40 },
        { kind: 'running', ...(subject.reportsProgress !== false && { progress: 40 }) },
      ));
    it('tells success', () => polls({ behavior: 'has finished', content: 'x' }, { kind: 'succeeded' }));
    it('tells failure with a reason, and the vendor’s sanitised', () =>
      polls(
        { behavior: 'has failed', reason: 'GPU lost at http://10.0.0.1/x' },
        {
          kind: 'failed',
          code: 'provider_error',
          message: subject.reportsReason === false ? expect.not.stringMatching(/GPU|10\.0/) : 'GPU lost at [link]',
        },
      ));
    it.each([
      'talks garbage',
      'says a strange word',
      'knows no such job',
      'answers 500',
      'loses the answer',
      'refuses the credential',
    ] as const)('ends nothing when the vendor %s', (behavior) => polls({ behavior }, { kind: 'unclear' }));
    it('ends nothing when the vendor hangs', () => polls({ behavior: 'hangs' }, { kind: 'unclear' }, 200));
    it('ends nothing when the vendor throttles, and tells how long to wait', () =>
      polls({ behavior: 'is busy', retryAfterSeconds: 3 }, { kind: 'unclear', retryAfterMs: 3000 }));
    it('ends nothing when the vendor cannot be reached', () =>
      staged({ behavior: 'hangs' }, async (stage, capability, job) => {
        await stage.shutDown();
        expect(await capability.poll(job, NEVER)).toMatchObject({ kind: 'unclear' });
      }));
  });

  describe(`${subject.kind}: content`, () => {
    it('is opened with its length', () =>
      staged({ behavior: 'has finished', content: 'the film' }, async (_stage, capability, job) => {
        const outcome = await capability.openContent(job, { index: 0 }, NEVER);
        if (outcome.kind !== 'opened') throw new Error(outcome.kind);
        expect(outcome.bytes).toBe(8);
        expect(await read(outcome.body)).toBe('the film');
      }));
    it('that breaks off fails while it is read', () =>
      staged({ behavior: 'cuts the content' }, async (_stage, capability, job) => {
        const outcome = await capability.openContent(job, { index: 0 }, NEVER);
        if (outcome.kind !== 'opened') throw new Error(outcome.kind);
        await expect(read(outcome.body)).rejects.toThrow();
      }));
    it('that the vendor no longer has is expired', () =>
      staged({ behavior: 'has let the content expire' }, async (_stage, capability, job) => {
        expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'expired' });
      }));
    it.each(['answers 500', 'loses the answer', 'talks garbage'] as const)(
      'may be tried again when the vendor %s',
      (behavior) =>
        staged({ behavior }, async (_stage, capability, job) => {
          expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'unclear' });
        }),
    );
    it('may be tried again when the vendor cannot be reached', () =>
      staged({ behavior: 'hangs' }, async (stage, capability, job) => {
        await stage.shutDown();
        expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'unclear' });
      }));
  });
}
