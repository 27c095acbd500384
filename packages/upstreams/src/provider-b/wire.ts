import { z } from 'zod';
import { Id, lenient, list, Text, Whole } from '../media/lenient.ts';

/** The only code of success. */
const SUCCESS = 10_000;

const ResponseSchema = z.looseObject({
  code: Whole,
  message: Text,
  data: lenient({ task_id: Id, status: Text, video_url: Text, image_urls: list(Text) }),
  /** The gateway's own, before the service was asked. */
  ResponseMetadata: lenient({ Error: lenient({ Code: Text, Message: Text }) }),
});

/** An answer of the vendor as far as it was understood. */
export interface JimengResponse {
  /** HTTP and the vendor's own code both say success. */
  isGood: boolean;
  code?: number | undefined;
  /** The gateway's word for what is wrong, e.g. `SignatureDoesNotMatch`. */
  gatewayCode?: string | undefined;
  message?: string | undefined;
  data: { task_id?: string | undefined; status?: string | undefined; urls: string[] };
}

/** Reads an answer; what is none tells nothing. */
export function readJimeng(status: number, body: unknown): JimengResponse {
  const parsed = ResponseSchema.safeParse(body);
  if (!parsed.success) return { isGood: false, data: { urls: [] } };
  const { code, message, data, ResponseMetadata: metadata } = parsed.data;
  return {
    isGood: status >= 200 && status < 300 && code === SUCCESS && metadata?.Error === undefined,
    code,
    gatewayCode: metadata?.Error?.Code,
    message: metadata?.Error?.Message ?? message,
    data: {
      task_id: data?.task_id,
      status: data?.status,
      urls: [data?.video_url, ...(data?.image_urls ?? [])].filter((url) => url !== undefined),
    },
  };
}
