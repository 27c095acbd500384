import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { WireError } from '../../http/wire-error.ts';
import { measureImage, type ImageFacts } from '../../media/image/measure-image.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { describeBytes } from '../media/describe-input.ts';
import { expectForm } from '../openai-style/expect-form.ts';
import { invalidParameter } from '../openai-style/openai-error.ts';
import { invalidImageFile } from './format-images-error.ts';

export interface FormImage {
  input: JobInput;
  facts: ImageFacts;
}

export interface ImageForm {
  fields: Record<string, unknown>;
  images: FormImage[];
  mask?: FormImage;
  problem?: WireError;
}

const TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
const NUMBERS = new Set(['n', 'output_compression', 'partial_images']);

function readField(name: string, value: unknown): unknown {
  if (NUMBERS.has(name) && typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value);
  if (name === 'stream' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

async function readImage(part: MultipartFile, at: number): Promise<FormImage | { problem: WireError }> {
  const { fieldname, filename, mimetype } = part;
  const bytes = await part.toBuffer();
  if (!TYPES.some((type) => type === mimetype)) {
    const param = fieldname.replace('[]', '');
    const message = `Invalid file '${param}': unsupported mimetype ('${mimetype}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`;
    return { problem: invalidParameter(param, message, 'unsupported_file_mimetype') };
  }
  const facts = measureImage(bytes, TYPES);
  if (facts === undefined) return { problem: invalidImageFile(at) };
  return { input: { ...describeBytes(fieldname, bytes, mimetype), filename }, facts };
}

async function addFile(form: ImageForm, part: MultipartFile): Promise<void> {
  const name = part.fieldname;
  const isMask = name === 'mask';
  const image = await readImage(part, isMask ? 0 : form.images.length);
  if (!isMask && name !== 'image' && name !== 'image[]') {
    form.problem ??= invalidParameter(name, `Unknown parameter: '${name}'.`, 'unknown_parameter');
  } else if ('problem' in image) form.problem ??= image.problem;
  else if (isMask) form.mask = image;
  else form.images.push(image);
}

/**
 * Image fields are `image` (or several `image[]`) and `mask`.
 * @throws WireError if the body is not a form.
 */
export async function readImageForm(request: FastifyRequest): Promise<ImageForm> {
  expectForm(request);
  const form: ImageForm = { fields: {}, images: [] };
  for await (const part of request.parts()) {
    if (part.type === 'file') await addFile(form, part);
    else form.fields[part.fieldname] = readField(part.fieldname, part.value);
  }
  return form;
}
