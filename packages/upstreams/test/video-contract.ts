import type {
  ImageCapability,
  ImageRequest,
  ReturnedOutput,
  MediaCapability,
  MediaRequest,
  MediaSubmission,
  UpstreamJob,
  VideoCapability,
  VideoRequest,
} from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { until } from './local-server.ts';

/** A vendor's behavior for the next calls. Each test subject implements it in its vendor's protocol. */
export type VendorBehavior =
  | { behavior: 'accepts'; id: string }
  | { behavior: 'refuses'; reason: string }
  | { behavior: 'moderates' }
  | { behavior: 'is busy'; retryAfterSeconds: number }
  | { behavior: 'refuses the credential' }
  | { behavior: 'has no balance' }
  | { behavior: 'drops the connection' }
  | { behavior: 'hangs' }
  | { behavior: 'answers 500' }
  | { behavior: 'returns garbage' }
  | { behavior: 'runs'; progress: number }
  | { behavior: 'has finished'; content: string }
  | { behavior: 'has failed'; reason: string }
  | { behavior: 'does not know the job' }
  | { behavior: 'returns an unknown status' }
  | { behavior: 'cuts the content' }
  | { behavior: 'has expired the content' };

interface Stage {
  setBehavior(behavior: VendorBehavior): void;
  submissions(): number;
  shutDown(): Promise<void>;
  secrets: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ContractStage extends Stage {
  video: VideoCapability;
}

export interface ImageContractStage extends Stage {
  image: ImageCapability;
}

export interface ContractSubject<S extends Stage = ContractStage> {
  kind: string;
  /** A valid model name of this vendor; default `model-a`. */
  model?: string;
  /** Whether the vendor reports progress; default true. */
  reportsProgress?: boolean;
  /** Whether clients may see the vendor's error messages; default true. */
  reportsReason?: boolean;
  /** Whether the vendor already rejects blocked content at submission; default true. */
  refusesContent?: boolean;
  /** @param timeoutMs timeout of one call */
  setStage(timeoutMs: number): Promise<S>;
}

export interface ImageContractSubject extends ContractSubject<ImageContractStage> {
  /** Outputs for the behavior `accepts`. Set by kinds that return the image in the response and cannot be polled. */
  returnedOutputs?: ReturnedOutput[];
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

export function describeVideoContract(subject: ContractSubject): void {
  describeContract({ ...subject, params: SUBMISSION, capability: ({ video }) => video });
}

/** Tests that every image upstream must pass. Synchronous kinds run only the submission tests. */
export function describeImageContract(subject: ImageContractSubject): void {
  const kind = `${subject.kind}, images`;
  describeContract({ ...subject, kind, params: IMAGE_SUBMISSION, capability: ({ image }) => image });
}

interface Subject<S extends Stage, R extends MediaRequest> extends ContractSubject<S> {
  params: MediaSubmission<R>;
  capability(stage: S): MediaCapability<R>;
  returnedOutputs?: ReturnedOutput[];
}

function describeContract<S extends Stage, R extends MediaRequest>(subject: Subject<S, R>): void {
  const { returnedOutputs } = subject;
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
        if (outcome.kind !== 'accepted' && outcome.kind !== 'returned') {
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
    const accepted = returnedOutputs
      ? { kind: 'returned', outputs: returnedOutputs }
      : { kind: 'accepted', upstreamId: 'up_9' };
    it('accepted with the id, or completed', () => submits({ behavior: 'accepts', id: 'up_9' }, accepted));
    it('rejected with the vendor’s sanitized reason', () =>
      submits(
        { behavior: 'refuses', reason: 'Bad size, see https://vendor.example/help?key=1' },
        { kind: 'rejected', code: 'invalid_request', message: 'Bad size, see [link]' },
      ));
    if (subject.refusesContent !== false) {
      it('rejected for its content', () =>
        submits({ behavior: 'moderates' }, { kind: 'rejected', code: 'content_policy' }));
    }
    it('retried later, after the delay that the vendor requests', () =>
      submits(
        { behavior: 'is busy', retryAfterSeconds: 7 },
        { kind: 'busy', code: 'rate_limited', retryAfterMs: 7000 },
      ));
    it('passed to another account when the credential is refused', () =>
      submits({ behavior: 'refuses the credential' }, { kind: 'account', code: 'provider_auth' }));
    it('passed to another account when there is no balance', () =>
      submits({ behavior: 'has no balance' }, { kind: 'account', code: 'provider_quota' }));
    it('unknown when the response is lost', () => submits({ behavior: 'drops the connection' }, { kind: 'unknown' }));
    it('unknown when no response arrives', () => submits({ behavior: 'hangs' }, { kind: 'unknown' }, 300));
    it('unknown after a server error', () => submits({ behavior: 'answers 500' }, { kind: 'unknown' }));
    it('unknown after a success without a result', () => submits({ behavior: 'returns garbage' }, { kind: 'unknown' }));

    it('retried later when the vendor is unreachable', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        await stage.shutDown();
        expect(await capability.submit(params, NEVER)).toMatchObject({ kind: 'busy', code: 'provider_error' });
      }));
    it('retried later when aborted before it was sent', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        expect(await capability.submit(params, AbortSignal.abort())).toMatchObject({ kind: 'busy' });
        expect(stage.submissions()).toBe(0);
      }));
    it('unknown when aborted in flight', () =>
      staged({ behavior: 'hangs' }, async (stage, capability) => {
        const stop = new AbortController();
        const submitting = capability.submit(params, stop.signal);
        await until(() => stage.submissions() > 0);
        stop.abort();
        expect(await submitting).toMatchObject({ kind: 'unknown' });
      }));
  });

  if (returnedOutputs) return;

  describe(`${subject.kind}: a poll`, () => {
    it('reports a running job, with progress if the vendor sends it', () =>
      polls(
        { behavior: 'runs', progress: 40 },
        { kind: 'running', ...(subject.reportsProgress !== false && { progress: 40 }) },
      ));
    it('reports success', () => polls({ behavior: 'has finished', content: 'x' }, { kind: 'succeeded' }));
    it('reports failure with the vendor’s sanitized reason', () =>
      polls(
        { behavior: 'has failed', reason: 'GPU lost at http://10.0.0.1/x' },
        {
          kind: 'failed',
          code: 'provider_error',
          message: subject.reportsReason === false ? expect.not.stringMatching(/GPU|10\.0/) : 'GPU lost at [link]',
        },
      ));
    it.each([
      'returns garbage',
      'returns an unknown status',
      'does not know the job',
      'answers 500',
      'drops the connection',
      'refuses the credential',
    ] as const)('decides nothing when the vendor %s', (behavior) => polls({ behavior }, { kind: 'unclear' }));
    it('decides nothing when the vendor hangs', () => polls({ behavior: 'hangs' }, { kind: 'unclear' }, 200));
    it('decides nothing when the vendor throttles, and returns the delay', () =>
      polls({ behavior: 'is busy', retryAfterSeconds: 3 }, { kind: 'unclear', retryAfterMs: 3000 }));
    it('decides nothing when the vendor is unreachable', () =>
      staged({ behavior: 'hangs' }, async (stage, capability, job) => {
        await stage.shutDown();
        expect(await capability.poll(job, NEVER)).toMatchObject({ kind: 'unclear' });
      }));
  });

  describe(`${subject.kind}: content`, () => {
    it('is opened with its length', () =>
      staged({ behavior: 'has finished', content: 'the clip' }, async (_stage, capability, job) => {
        const outcome = await capability.openContent(job, { index: 0 }, NEVER);
        if (outcome.kind !== 'opened') throw new Error(outcome.kind);
        expect(outcome.bytes).toBe(8);
        expect(await read(outcome.body)).toBe('the clip');
      }));
    it('fails while it is read if truncated', () =>
      staged({ behavior: 'cuts the content' }, async (_stage, capability, job) => {
        const outcome = await capability.openContent(job, { index: 0 }, NEVER);
        if (outcome.kind !== 'opened') throw new Error(outcome.kind);
        await expect(read(outcome.body)).rejects.toThrow();
      }));
    it('is expired when the vendor no longer has it', () =>
      staged({ behavior: 'has expired the content' }, async (_stage, capability, job) => {
        expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'expired' });
      }));
    it.each(['answers 500', 'drops the connection', 'returns garbage'] as const)(
      'may be retried when the vendor %s',
      (behavior) =>
        staged({ behavior }, async (_stage, capability, job) => {
          expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'unclear' });
        }),
    );
    it('may be retried when the vendor is unreachable', () =>
      staged({ behavior: 'hangs' }, async (stage, capability, job) => {
        await stage.shutDown();
        expect(await capability.openContent(job, { index: 0 }, NEVER)).toMatchObject({ kind: 'unclear' });
      }));
  });
}
