import { GatewayError, type ImageRequest } from '@sluice/canonical';

/** A name may carry its vendor before a slash, as resellers write them. */
const GPT_IMAGE = /^(?:.*\/)?(?:chat)?gpt-image/i;

/**
 * How the client gets the images: as it says, else as the model's vendor does. OpenAI's GPT image models know bytes
 * alone, and their clients read nothing else.
 * @param models - All names of the model: the one asked for, and the upstream's, which an alias or a default hides.
 */
export function deliveryOf(
  models: readonly string[],
  asked: ImageRequest['delivery'] | undefined,
): ImageRequest['delivery'] {
  return asked ?? (models.some((model) => GPT_IMAGE.test(model)) ? 'b64_json' : 'url');
}

/** @throws GatewayError `unsupported_parameter` when the images are to come in pieces */
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
    `${param} is not supported: images are not streamed. Leave it out; with \`Prefer: respond-async\` the task is answered at once.`,
    { param },
  );
}
