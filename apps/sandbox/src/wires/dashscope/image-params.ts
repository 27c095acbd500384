import { z } from 'zod';
import type { ImageFacts } from '../../media/image/measure-image.ts';
import { checkBody } from '../../schema/check-body.ts';
import { type Frame, frameOfArea } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageRules, requireImage } from '../media/read-image.ts';
import { explainBody, invalidParameter } from './dashscope-error.ts';
import { imageFrame, type ImageModel } from './image-models.ts';

const Parameters = z
  .strictObject({
    negative_prompt: z.string().optional(),
    size: z.string().optional(),
    n: z.int().min(1).optional(),
    seed: z.int().min(0).max(2_147_483_647).optional(),
    prompt_extend: z.boolean().optional(),
    watermark: z.boolean().optional(),
  })
  .prefault({});

type Parameters = z.output<typeof Parameters>;

/** Body of `multimodal-generation/generation`. */
const MessagesBody = z.strictObject({
  model: z.string(),
  input: z.strictObject({
    messages: z
      .array(
        z.strictObject({
          role: z.literal('user'),
          content: z
            .array(z.union([z.strictObject({ image: z.string().min(1) }), z.strictObject({ text: z.string().min(1) })]))
            .min(1),
        }),
      )
      .length(1),
  }),
  parameters: Parameters,
});

/** Body of `text2image/image-synthesis`. */
const PromptBody = z.strictObject({
  model: z.string(),
  input: z.strictObject({ prompt: z.string().min(1), negative_prompt: z.string().optional() }),
  parameters: Parameters,
});

/** Source: DashScope docs, "Qwen - image editing", `image`. */
const IMAGE_RULES: ImageRules = {
  encodings: ['data-url'],
  schemes: ['oss://'],
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/gif'],
  maxBytes: 10 * 1024 ** 2,
  minSide: 11,
  maxSide: 8192,
  maxRatio: 200,
};

function frameOf(model: ImageModel, size: string | undefined, last: ImageFacts | undefined): Frame {
  // Without a size, the last image sets the aspect ratio (DashScope docs, "Qwen - image editing", `size`).
  if (size === undefined && last !== undefined) return frameOfArea(last, 1024 ** 2);
  const frame = imageFrame(model, size ?? model.defaultSize);
  if (frame === undefined) throw invalidParameter(`Parameter "parameters.size" is invalid: ${size} is not made here.`);
  return frame;
}

interface ImageRequest {
  model: string;
  prompt: string;
  parameters: Parameters;
  images: readonly string[];
}

function paramsOf(model: ImageModel, { model: name, prompt, parameters, images }: ImageRequest): MediaParams {
  const { n: count = 1, seed, size } = parameters;
  if (count > model.max) throw invalidParameter(`Parameter "parameters.n" is invalid: must be from 1 to ${model.max}.`);
  const [min, max] = model.images;
  if (images.length < min || images.length > max) {
    throw invalidParameter(`Parameter "input.messages" is invalid: ${min} to ${max} images are taken.`);
  }
  const imageInputs = images.map((value) =>
    requireImage('image', value, IMAGE_RULES, (problem) =>
      invalidParameter(`Parameter "input.messages" is invalid: an image ${problem}.`),
    ),
  );
  const inputs = imageInputs.map(({ input }) => input);
  const frame = frameOf(model, size, imageInputs.at(-1)?.facts);
  return { kind: 'image', model: name, prompt, seconds: 0, ...frame, count, seed, inputs };
}

export function messagesParams(model: ImageModel, body: unknown): MediaParams {
  const { model: name, input, parameters } = checkBody(MessagesBody, body, explainBody);
  const content = input.messages.flatMap((message) => message.content);
  const texts = content.flatMap((part) => ('text' in part ? [part.text] : []));
  const images = content.flatMap((part) => ('image' in part ? [part.image] : []));
  const [prompt] = texts;
  if (prompt === undefined || texts.length > 1) {
    throw invalidParameter('Parameter "input.messages" is invalid: exactly one text is taken.');
  }
  return paramsOf(model, { model: name, prompt, parameters, images });
}

export function promptParams(model: ImageModel, body: unknown): MediaParams {
  const { model: name, input, parameters } = checkBody(PromptBody, body, explainBody);
  return paramsOf(model, { model: name, prompt: input.prompt, parameters, images: [] });
}

/** Returns the prompt of either body format, even if the rest of the body is invalid. */
export function promptIn(body: unknown): string {
  const input: unknown = Object(body).input;
  const prompt: unknown = Object(input).prompt;
  if (typeof prompt === 'string') return prompt;
  const messages: unknown = Object(input).messages;
  const content: unknown = Array.isArray(messages) ? Object(messages[0]).content : [];
  const texts: unknown[] = Array.isArray(content) ? content.map((part) => Object(part).text) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}
