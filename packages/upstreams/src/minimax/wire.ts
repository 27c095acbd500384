import { z } from 'zod';
import { Id, lenient, Numeric, Text } from '../media/lenient.ts';

/** A code, also if sent as text. */
const Code = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);

/** The status of v1 calls, sent with HTTP 200. */
const BaseResp = lenient({ status_code: Code, status_msg: Text });

/** `{type: "error", error: {type, message, http_code}}` of v2, whose messages end with the v1 code: `… (2013)`. */
const WireError = lenient({ type: Text, message: Text });

/** The errors of both versions. */
export const WireRefusal = lenient({ base_resp: BaseResp, error: WireError });
export type MinimaxRefusal = z.output<typeof WireRefusal>;

/** The response to a submission of either version. */
export const WireSubmitted = lenient({ task_id: Id, base_resp: BaseResp });

/** A v1 task; the URL of its file takes another call. */
export const WireTaskV1 = lenient({
  status: Text,
  file_id: Id,
  video_width: Numeric,
  video_height: Numeric,
  base_resp: BaseResp,
});

/** A v1 file. */
export const WireFile = lenient({ file: lenient({ download_url: Text }), base_resp: BaseResp });

const TaskV2 = lenient({
  id: Id,
  model: Text,
  status: Text,
  error: lenient({ code: Id, message: Text }),
  content: lenient({ url: Text }),
  /** Unix seconds. */
  created_at: Numeric,
  resolution: Text,
  duration: Numeric,
  ratio: Text,
});

/** A v2 task. */
export const WireTaskV2 = lenient({ task: TaskV2 });
