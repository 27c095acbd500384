import { GatewayError, type ImageRequest } from '@sluice/canonical';

/** Resellers prefix a name with its vendor and a slash. */
const GPT_IMAGE = /^(?:.*\/)?(?:chat)?gpt-image/i;

/**
 * Returns how the client receives the images: as requested, otherwise as the model's vendor does. OpenAI's GPT image
 * models
 * return only bytes, and their clients read nothing else.
 * @param models - All names of the model: the requested one and the upstream's, which an alias or a default hides.
 */
export function deliveryOf(
  models: readonly string[],
  asked: ImageRequest['delivery'] | undefined,
): ImageRequest['delivery'] {
  return asked ?? (models.some((model) => GPT_IMAGE.test(model)) ? 'b64_json' : 'url');
}

/** @throws GatewayError `unsupported_parameter` for streamed images */
export function refuseStreaming({ stream, partial_images: partial }: Streaming): void {
  if (stream === true) throw unsupported('stream');
  if (partial !== undefined && partial > 0) throw unsupported('partial_images');
}

interface Streaming {
  stream?: boolean | undefined;
  partial_images?: number | undefined;
}

function unsupported(param: string): GatewayError {
  return new GatewayError(
    'unsupported_parameter',
    `${param} is not supported: images are not streamed. Remove the field; \`Prefer: respond-async\` returns the task at once.`,
    { param },
  );
}
