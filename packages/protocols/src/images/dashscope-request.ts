import { withoutBlanks } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { inRole, type DecodedImage, readImageText } from '../media/input-image.ts';
import { isRecord } from '../json/is-record.ts';
import { MAX_PROMPT } from '../media/fields.ts';
import { collectMetadata } from '../media/metadata.ts';
import type { DecodedMedia, ImageParams } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { DashScopeImagesSchema } from './dashscope-schema.ts';
import { refuseStreaming } from './delivery.ts';

/**
 * Decodes a body in DashScope's format. The prompt joins the texts of all messages, and their images become the input.
 * Metadata contains the unknown options of `parameters`. Unknown options of `input` are in the metadata's `input`.
 * @throws GatewayError with the field's name
 */
export function decodeDashScope(fields: unknown): DecodedMedia<ImageParams> {
  const {
    model,
    input,
    parameters = {},
    response_format: delivery,
    callback_url: callbackUrl,
    stream,
    ...options
  } = parseInput(DashScopeImagesSchema, withoutNulls(fields));
  refuseStreaming({ stream });
  const { messages, ...inputOptions } = input;
  const { negative_prompt, prompt_extend, watermark, size, n, seed, ...parameterOptions } = parameters;
  const parts = messages.flatMap(({ content }, message) =>
    content.map((part, index) => ({ ...part, param: `input[messages][${message}][content][${index}]` })),
  );
  const prompt = parts.flatMap(({ text }) => (text === undefined || text.trim() === '' ? [] : [text])).join('\n');
  if (prompt.length > MAX_PROMPT) {
    throw invalidField('input[messages]', `must be at most ${MAX_PROMPT} characters`);
  }
  const images = parts.flatMap(({ image, param }): DecodedImage[] =>
    image === undefined ? [] : [readImageText(image, `${param}[image]`)],
  );
  const { metadata, dropped } = collectMetadata(
    { fields: options },
    { fields: parameterOptions, within: 'parameters' },
    { fields: Object.keys(inputOptions).length === 0 ? {} : { input: inputOptions } },
  );
  return {
    model,
    request: {
      kind: 'image',
      ...(prompt !== '' && { prompt }),
      ...(negative_prompt !== undefined && { negativePrompt: negative_prompt }),
      ...(n !== undefined && { n }),
      ...(size !== undefined && { size }),
      ...(seed !== undefined && { seed }),
      ...(watermark !== undefined && { watermark }),
      ...(prompt_extend !== undefined && { promptExtend: prompt_extend }),
      ...(metadata && { metadata }),
      ...(delivery !== undefined && { delivery }),
    },
    images: inRole('reference', images, 'input[messages]'),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(dropped && { dropped }),
  };
}

/** Clients can send null for unset parameters. */
function withoutNulls(fields: unknown): unknown {
  const present = withoutBlanks(fields);
  if (!isRecord(present) || present['parameters'] === undefined) return present;
  return { ...present, parameters: withoutBlanks(present['parameters']) };
}
