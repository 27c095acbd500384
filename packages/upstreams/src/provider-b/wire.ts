import { z } from 'zod';
import { Id, lenient, list, Text, Whole } from '../media/lenient.ts';

const SUCCESS = 10_000;

const ResponseSchema = z.looseObject({
  code: Whole,
  message: Text,
  data: lenient({ task_id: Id, status: Text, video_url: Text, image_urls: list(Text) }),
  /** The gateway's error, from before it called the service. */
  ResponseMetadata: lenient({ Error: lenient({ Code: Text, Message: Text }) }),
});

/** A response; unreadable fields are absent. */
export interface JimengResponse {
  /** Whether HTTP status and vendor code are both a success. */
  isGood: boolean;
  code?: number | undefined;
  /** The gateway's error code, e.g. `SignatureDoesNotMatch`. */
  gatewayCode?: string | undefined;
  message?: string | undefined;
  data: { task_id?: string | undefined; status?: string | undefined; urls: string[] };
}

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
