import { z } from 'zod';
import { Id, lenient, list, Text, Integer } from '../media/lenient.ts';
import { isSuccess } from '../media/outcomes/decision.ts';

const SUCCESS = 10_000;

const ResponseSchema = z.looseObject({
  code: Integer,
  message: Text,
  data: lenient({ task_id: Id, status: Text, video_url: Text, image_urls: list(Text) }),
  ResponseMetadata: lenient({ Error: lenient({ Code: Text, Message: Text }) }),
});

export interface JimengResponse {
  isGood: boolean;
  code?: number | undefined;
  gatewayCode?: string | undefined;
  message?: string | undefined;
  data: { task_id?: string | undefined; status?: string | undefined; urls: string[] };
}

export function readJimeng(status: number, body: unknown): JimengResponse {
  const parsed = ResponseSchema.safeParse(body);
  if (!parsed.success) return { isGood: false, data: { urls: [] } };
  const { code, message, data, ResponseMetadata: metadata } = parsed.data;
  return {
    isGood: isSuccess(status) && code === SUCCESS && metadata?.Error === undefined,
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
