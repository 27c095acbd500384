import { z } from 'zod';
import { Flag, Id, lenient, list, Text, Integer } from '../media/lenient.ts';

/** A number of seconds, which Kling sends as text (e.g. `"5.1"`). */
const Seconds = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => (/^\d{1,6}(\.\d{1,9})?$/.test(text) && Number(text) > 0 ? String(Number(text)) : undefined))
  .optional()
  .catch(undefined);

const ResultFile = lenient({ url: Text, watermark_url: Text, index: Integer, duration: Seconds });

const ResponseSchema = z.looseObject({
  code: Integer,
  message: Text,
  data: lenient({
    task_id: Id,
    task_status: Text,
    task_status_msg: Text,
    task_info: lenient({ external_task_id: Id }),
    watermark_info: lenient({ enabled: Flag }),
    task_result: lenient({ videos: list(ResultFile), images: list(ResultFile) }),
  }),
});

export type KlingResponse = z.output<typeof ResponseSchema>;

export function readKling(body: unknown): KlingResponse {
  const parsed = ResponseSchema.safeParse(body);
  return parsed.success ? parsed.data : {};
}
