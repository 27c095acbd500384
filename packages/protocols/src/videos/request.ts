import { GatewayError, type InputImage } from '@sluice/canonical';
import { parseInput } from '../parse-input.ts';
import type { DecodedListing, DecodedVideo, InlineImage, VideoForm } from '../video-protocol.ts';
import { CreateVideoSchema, ListVideosSchema } from './schema.ts';

const KNOWN = new Set(['prompt', 'model', 'seconds', 'size', 'input_reference', 'metadata']);
const MAX_METADATA_CHARACTERS = 65_536;
const MAX_METADATA_DEPTH = 32;
const MAX_URL_CHARACTERS = 8_192;

/**
 * Reads the body of `POST /v1/videos`, multipart or JSON.
 * Empty texts and nulls count as left out, since form libraries send them for what is unset.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeVideo({ fields, file }: VideoForm): DecodedVideo {
  const given = fields === undefined || fields === null ? {} : withoutBlanks(fields);
  const { input_reference: reference, ...rest } = parseInput(CreateVideoSchema, given);
  if (file && reference) throw invalid('input_reference', 'is given twice: send either a file or a reference');

  const images: InputImage[] = [];
  const inlineImages: InlineImage[] = [];
  if (file) images.push({ role: 'reference', source: { kind: 'stored', ...file } });
  if (reference?.file_id !== undefined) {
    throw invalid('input_reference[file_id]', 'is not supported: send the picture as a file or as image_url');
  }
  if (reference) {
    const image = decodeImageUrl(reference.image_url);
    if ('base64' in image) inlineImages.push(image);
    else images.push(image);
  }

  const metadata = collectMetadata(rest, rest.metadata);
  return {
    ...(rest.model !== undefined && { model: rest.model }),
    request: {
      prompt: rest.prompt.toWellFormed(),
      ...(rest.seconds !== undefined && { seconds: String(Number(rest.seconds)) }),
      ...(rest.size !== undefined && { size: rest.size }),
      images,
      ...(metadata && { metadata }),
    },
    inlineImages,
  };
}

/** Reads the query of `GET /v1/videos`. @throws GatewayError `invalid_request` */
export function decodeListing(query: unknown): DecodedListing {
  const { after, limit, order } = parseInput(ListVideosSchema, query);
  return { limit, order, ...(after !== undefined && { after }) };
}

/** Also unfolds the two texts in which a form may carry an object. */
function withoutBlanks(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  const kept = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(
    kept.map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'string') return [name, value];
      if (name === 'metadata') return [name, parseMetadataText(value)];
      if (name === 'input_reference') return [name, { image_url: value }];
      return [name, value];
    }),
  );
}

function parseMetadataText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('metadata', 'must be an object, as JSON');
  }
}

function decodeImageUrl(text: string | undefined): InputImage | InlineImage {
  const param = 'input_reference[image_url]';
  if (text === undefined || text === '') throw invalid(param, 'is required when no file is sent');
  if (text.slice(0, 5).toLowerCase() === 'data:') {
    const comma = text.indexOf(',');
    const [mediaType = '', ...parameters] = text.slice(5, Math.max(comma, 5)).split(';');
    const base64 = text.slice(comma + 1);
    if (comma < 0 || parameters.at(-1)?.toLowerCase() !== 'base64' || !/^[\w+/-]+={0,2}$/.test(base64)) {
      throw invalid(param, 'must be a base64 data URL such as data:image/png;base64,…');
    }
    return { role: 'reference', mediaType: mediaType.toLowerCase(), base64, param };
  }
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalid(param, 'must be an http(s) URL without credentials, or a data URL');
  }
  return { role: 'reference', source: { kind: 'url', url: url.href } };
}

function collectMetadata(
  rest: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
): Record<string, unknown> | undefined {
  const unknown = Object.entries(rest).filter(([name]) => !KNOWN.has(name));
  // A model in metadata would be another way to choose one, past the key's allow-list.
  const entries = [...unknown, ...Object.entries(metadata)].filter(([name]) => name !== 'model');
  if (entries.length === 0) return undefined;
  const collected = Object.fromEntries(entries);
  // Looked at before anything walks it to the bottom: 100,000 brackets are a short body and a long recursion.
  if (isDeeper(collected, MAX_METADATA_DEPTH)) {
    throw invalid('metadata', `and unknown fields may be nested at most ${MAX_METADATA_DEPTH} deep`);
  }
  if (JSON.stringify(collected).length > MAX_METADATA_CHARACTERS) {
    throw invalid('metadata', `and unknown fields must have at most ${MAX_METADATA_CHARACTERS} characters as JSON`);
  }
  return collected;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}
