import type { MediaJob } from '../../jobs/media-job.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { THOUGHT } from '../google-style/check-contents.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { renderOutput } from '../media/render-output.ts';
import type { FinishedState } from '../media/send-when-finished.ts';

/** The number of tokens that the first image model bills per megapixel. */
const TOKENS_PER_MEGAPIXEL = 1230;
const TOKENS_PER_INPUT = 258;
const TEXT = 'Here is your image.';

const WITHOUT = {
  moderation: {
    finishReason: 'IMAGE_SAFETY',
    finishMessage:
      "Unable to show the generated image. The image was filtered out because it violated Google's Generative AI Prohibited Use policy.",
  },
  error: { finishReason: 'IMAGE_OTHER' },
  nothing: { finishReason: 'NO_IMAGE', finishMessage: 'The model was expected to generate an image.' },
};

export interface ImageHead {
  id: string;
  withText: boolean;
  secretStore: SecretStore;
}

function promptUsage({ prompt, inputs }: MediaJob) {
  const [text, image] = [countTokens(prompt), inputs.length * TOKENS_PER_INPUT];
  const details = [{ modality: 'TEXT', tokenCount: text }];
  if (image > 0) details.push({ modality: 'IMAGE', tokenCount: image });
  return { promptTokenCount: text + image, promptTokensDetails: details };
}

function tail({ id }: ImageHead, job: MediaJob, imageTokens: number) {
  const usage = promptUsage(job);
  const candidates = imageTokens === 0 ? {} : { candidatesTokenCount: imageTokens };
  const details =
    imageTokens === 0 ? {} : { candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: imageTokens }] };
  const usageMetadata = { ...usage, ...candidates, totalTokenCount: usage.promptTokenCount + imageTokens, ...details };
  return { usageMetadata, modelVersion: job.model, responseId: id };
}

/** A failed job is also returned with status 200. */
export function imageResponse(vendor: MediaVendor, job: MediaJob, state: FinishedState, head: ImageHead): object {
  if (state.status === 'failed') {
    return { candidates: [{ content: {}, ...WITHOUT[state.cause], index: 0 }], ...tail(head, job, 0) };
  }
  const [index] = state.outputs;
  if (index === undefined)
    return { candidates: [{ content: {}, ...WITHOUT.nothing, index: 0 }], ...tail(head, job, 0) };
  const data = renderOutput(vendor.archive, job, index, 'png').bytes.toString('base64');
  // The newest models sign their images. Clients return the signature in the next turn.
  const thoughtSignature = /gemini-3|strict/.test(job.model)
    ? head.secretStore.encrypt(`${THOUGHT}${job.model}`, job.id)
    : undefined;
  const imageInput = { inlineData: { mimeType: 'image/png', data }, thoughtSignature };
  const parts = head.withText ? [{ text: TEXT }, imageInput] : [imageInput];
  const tokens = Math.ceil((job.width * job.height * TOKENS_PER_MEGAPIXEL) / 1_000_000);
  return {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    ...tail(head, job, tokens),
  };
}

export function blockedResponse(): object {
  return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
}
