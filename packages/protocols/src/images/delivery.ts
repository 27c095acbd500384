import { GatewayError, type ImageRequest } from '@sluice/canonical';

/** Resellers prefix a model name with the vendor's name and a slash. */
const GPT_IMAGE = /^(?:.*\/)?(?:chat)?gpt-image/i;

/**
 * Returns how the client receives the images: as requested, or as the model's vendor delivers them by default. OpenAI's
 * GPT image models return only bytes, and their clients support nothing else.
 * @param models the requested name and the upstream's name, because an alias or a default hides the vendor's name
 */
export function deliveryOf(
  models: readonly string[],
  requested: ImageRequest['delivery'] | undefined,
): ImageRequest['delivery'] {
  return requested ?? (models.some((model) => GPT_IMAGE.test(model)) ? 'b64_json' : 'url');
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
    `${param} is not supported: images are not streamed. Remove the field, or send \`Prefer: respond-async\` to receive the task at once.`,
    { param },
  );
}
