import { z } from 'zod';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter } from '../openai-style/openai-error.ts';
import type { ModerationInput } from './moderate-input.ts';
import { tagged } from '../../schema/tagged.ts';

const DATA_URL = /^data:image\/(?:png|jpe?g|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;

const Url = z
  .string()
  .refine(
    (url) => DATA_URL.test(url) || (/^https?:\/\//.test(url) && URL.canParse(url)),
    'Expected a URL or a data URL of an image.',
  );
const Part = z.discriminatedUnion('type', [
  tagged('text', { text: z.string() }),
  tagged('image_url', { image_url: z.strictObject({ url: Url }) }),
]);
const Request = z.strictObject({
  input: z.union([z.string(), z.array(z.string()).min(1), z.array(Part).min(1)]),
  model: z.string().min(1).optional(),
});

function imageName(url: string): string {
  if (url.startsWith('data:')) return '';
  return (new URL(url).pathname.split('/').at(-1) ?? '').replaceAll(/%[0-9a-f]{2}/gi, ' ');
}

function readParts(parts: readonly z.infer<typeof Part>[], model: string): ModerationInput {
  const urls = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  if (urls.length > 0 && model.startsWith('text-moderation')) {
    throw invalidParameter('input', `Invalid value for 'input': images are not supported by the model '${model}'.`);
  }
  if (urls.length > 1) {
    throw invalidParameter('input', "Invalid value for 'input': only one image is supported per request.");
  }
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    images: urls.map(imageName),
  };
}

/**
 * Returns one result per text, or one for all parts of a mixed input.
 * @throws WireError 400.
 */
export function readModerationsRequest(body: unknown): { model: string; inputs: ModerationInput[] } {
  const read = Request.safeParse(body ?? {});
  if (!read.success) throw explainIssue(read.error, body);
  const { input, model = 'omni-moderation-latest' } = read.data;
  const items: (string | z.infer<typeof Part>)[] = typeof input === 'string' ? [input] : input;
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length > 0) return { model, inputs: texts.map((text) => ({ texts: [text], images: [] })) };
  const parts = items.filter((item) => typeof item !== 'string');
  return { model, inputs: [readParts(parts, model)] };
}
