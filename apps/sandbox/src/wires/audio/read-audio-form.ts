import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { hashFile } from '../../http/hash-file.ts';
import type { WireError } from '../../http/wire-error.ts';
import { createAudioReader, type AudioInfo } from '../../media/audio/audio-reader.ts';
import { hasTextDirective } from '../../directives/text-directives.ts';
import { parseJson } from '../../schema/json.ts';
import { expectForm } from '../openai-style/expect-form.ts';
import { invalidParameter } from '../openai-style/openai-error.ts';
import { incorrectKey } from '../openai-style/format-openai-fault.ts';

interface AudioFile {
  filename: string | undefined;
  content_type: string;
  bytes: number;
  sha256: string;
}

export interface AudioForm {
  fields: Record<string, unknown>;
  file?: AudioFile;
  recorded?: AudioInfo;
  problem?: WireError;
}

const NESTED = /^(chunking_strategy)\[(\w+)\]$/;

function readScalar(name: string, text: string): unknown {
  if (/^(temperature|threshold|prefix_padding_ms|silence_duration_ms)$/.test(name) && /^-?\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  if (name === 'stream' && (text === 'true' || text === 'false')) return text === 'true';
  return name === 'chunking_strategy' && text.startsWith('{') ? (parseJson(text) ?? text) : text;
}

/** Lists are sent as repeated `name[]` fields. */
function addField({ fields }: AudioForm, name: string, value: unknown): void {
  const text = String(value);
  if (name.endsWith('[]')) {
    const list: unknown = fields[name.slice(0, -2)];
    fields[name.slice(0, -2)] = [...(Array.isArray(list) ? list : []), text];
    return;
  }
  const [, outer, inner] = NESTED.exec(name) ?? [];
  if (outer === undefined || inner === undefined) fields[name] = readScalar(name, text);
  else fields[outer] = { ...Object(fields[outer]), [inner]: readScalar(inner, text) };
}

async function addFile(form: AudioForm, part: MultipartFile): Promise<void> {
  const reader = createAudioReader();
  const measured = await hashFile(part, (chunk) => reader.push(chunk));
  const { fieldname, filename, mimetype } = part;
  if (fieldname !== 'file' || form.file !== undefined) {
    form.problem ??= invalidParameter(fieldname, `Unknown parameter: '${fieldname}'.`, 'unknown_parameter');
    return;
  }
  form.file = { filename, content_type: mimetype, ...measured };
  const recorded = reader.recorded();
  if (recorded === undefined) {
    const formats = "['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']";
    form.problem ??= invalidParameter('file', `Invalid file format. Supported formats: ${formats}`, 'invalid_value');
  } else form.recorded = recorded;
}

/**
 * Reads the form as a stream. Fields may be before or after the file.
 * @throws WireError if the body is not a form, or immediately if the prompt injects an invalid key.
 */
export async function readAudioForm(request: FastifyRequest): Promise<AudioForm> {
  expectForm(request);
  const form: AudioForm = { fields: {} };
  for await (const part of request.parts()) {
    if (part.type === 'file') await addFile(form, part);
    else if (part.fieldname === 'prompt' && hasTextDirective(String(part.value), 'unauthorized')) {
      // The vendor checks keys before it reads the file, so the rest of the body is discarded.
      request.raw.unpipe();
      request.raw.resume();
      throw incorrectKey();
    } else addField(form, part.fieldname, part.value);
  }
  return form;
}
