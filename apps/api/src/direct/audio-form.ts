import type { MultipartFile } from '@fastify/multipart';
import { type AudioUpload, GatewayError, type TranscriptionFields } from '@sluice/canonical';
import type { FormField, TranscriptionProtocol } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';
import { boundBody, type FormLimits, formError, MAX_FILENAME } from '../http/form-limits.ts';
import { formParts } from '../http/form-parts.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { printable } from '../http/printable.ts';
import type { FormDeps } from './direct-deps.ts';
import type { SpooledFile } from './spooled-file.ts';

export interface AudioForm {
  model?: string;
  known: TranscriptionFields;
  isComplete: boolean;
  audio: AudioUpload;
  /** Returns all fields, after the audio has been read. @throws GatewayError */
  all(this: void): Promise<TranscriptionFields>;
  isConsumed(this: void): boolean;
  close(): Promise<void>;
}

/**
 * Reads the form until the fields that select the upstream are known. If the model precedes the audio, the audio is
 * streamed to the upstream and the remaining fields are read afterward. If the audio comes first, it is spooled to
 * disk.
 * @throws GatewayError if a field read before the audio is invalid
 */
export async function openAudioForm(
  request: FastifyRequest,
  protocol: Pick<TranscriptionProtocol, 'decode' | 'fileField'>,
  { limits, spool }: FormDeps,
): Promise<AudioForm> {
  if (!request.isMultipart()) {
    throw new GatewayError(
      'unsupported_media_type',
      'The body is not a form. Send the audio as `multipart/form-data`.',
    );
  }
  boundBody(request, limits.upload_bytes);
  const parts = new FormParts(request, limits, protocol.fileField);
  const file = await parts.untilFile();
  const { model, fields: known } = protocol.decode(parts.fields);
  if (file === undefined) {
    throw new GatewayError('invalid_request', `${protocol.fileField} is required. Send the audio in it.`, {
      param: protocol.fileField,
    });
  }
  const { filename, mimetype } = file;
  const label = {
    filename: filename === undefined || filename === '' ? 'audio' : filename.slice(-MAX_FILENAME),
    mediaType: mimetype,
  };
  const bytes = await nonEmptyBytes(file.file, protocol.fileField, limits);
  if (model === undefined) {
    const spooled = await spool.write(bytes);
    try {
      return spooledForm(spooled, label, await parts.rest(protocol));
    } catch (error) {
      await spooled.close();
      throw error;
    }
  }
  let isConsumed = false;
  let rest: Promise<TranscriptionFields> | undefined;
  const open = (): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => {
      if (isConsumed) throw new Error('the audio was already read');
      isConsumed = true;
      return bytes[Symbol.asyncIterator]();
    },
  });
  return {
    model,
    known,
    isComplete: false,
    audio: { ...label, open },
    all: () => (rest ??= parts.rest(protocol).then(({ fields }) => fields)),
    isConsumed: () => isConsumed,
    close: async () => void file.file.destroy(),
  };
}

function spooledForm(
  spooled: SpooledFile,
  label: Pick<AudioUpload, 'filename' | 'mediaType'>,
  { model, fields }: ReturnType<TranscriptionProtocol['decode']>,
): AudioForm {
  return {
    ...(model !== undefined && { model }),
    known: fields,
    isComplete: true,
    audio: { ...label, bytes: spooled.bytes, open: () => spooled.open() },
    all: () => Promise.resolve(fields),
    isConsumed: () => false,
    close: () => spooled.close(),
  };
}

class FormParts {
  readonly fields: FormField[] = [];
  readonly #parts: ReturnType<typeof formParts>;
  readonly #fileField: string;
  readonly #limits: FormLimits;

  constructor(request: FastifyRequest, limits: FormDeps['limits'], fileField: string) {
    this.#parts = formParts(request, limits);
    this.#fileField = fileField;
    this.#limits = limits;
  }

  /** Reads fields up to the first file. @returns undefined if the form ends without a file */
  async untilFile(): Promise<MultipartFile | undefined> {
    try {
      for (;;) {
        const next = await this.#parts.next();
        if (next.done === true) return undefined;
        const { name } = next.value;
        if (next.value.type === 'file') return this.#expected(next.value.file, name);
        if (name === this.#fileField) {
          throw new GatewayError('invalid_request', `${name} must be a file with a filename.`, { param: name });
        }
        this.fields.push([name, next.value.value]);
      }
    } catch (error) {
      throw gatewayErrorOf(formError(error, this.#limits));
    }
  }

  /** Reads the fields after the file. @throws GatewayError for a second file or an invalid field */
  async rest({ decode, fileField }: Pick<TranscriptionProtocol, 'decode' | 'fileField'>) {
    const another = await this.untilFile();
    if (another !== undefined) {
      throw new GatewayError('invalid_request', `\`${fileField}\` appears twice. Send it once.`, { param: fileField });
    }
    return decode(this.fields);
  }

  #expected(part: MultipartFile, name: string): MultipartFile {
    if (name === this.#fileField) return part;
    const what = `${printable(name)} does not accept a file. Send the audio as \`${this.#fileField}\`.`;
    throw new GatewayError('invalid_request', what, { param: name });
  }
}

async function nonEmptyBytes(
  file: AsyncIterable<Uint8Array>,
  param: string,
  limits: FormLimits,
): Promise<AsyncIterable<Uint8Array>> {
  const chunks = file[Symbol.asyncIterator]();
  const next = async () => {
    try {
      return await chunks.next();
    } catch (error) {
      throw gatewayErrorOf(formError(error, limits));
    }
  };
  const first = await next();
  if (first.done === true) throw new GatewayError('invalid_request', `${param} must not be empty.`, { param });
  return (async function* () {
    yield first.value;
    for (let chunk = await next(); chunk.done !== true; chunk = await next()) yield chunk.value;
  })();
}
